"""Every page whose list grows without limit shows a part of it, and links to the rest."""

import re
from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Block, Friendship, NameChange, Sanction, User
from games.models import Case, CaseStep, Report, Ruling, Table
from games.panels.friends import ROWS, TABLES_OF_A_FRIEND
from games.panels.moderation import REPORTS_ON_A_PAGE
from tests.builders.copies import copies
from tests.builders.moderation import moderator
from tests.builders.tables import gather, person, run_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return person("Ada")


def people(count: int) -> list[User]:
    return User.objects.bulk_create(
        User(
            username=f"Person {number:04}",
            name_key=f"person {number:04}",
            skeleton=f"person {number:04}",
            person_key=f"k{number}",
        )
        for number in range(count)
    )


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def cost(client: Client, path: str) -> tuple[int, str]:
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(path)
    assert answer.status_code == 200
    return len(queries), answer.content.decode()


def through(client: Client, path: str, row: str, name: str = "page") -> list[int]:
    """Return how many rows there are on each page, from the first to the last."""
    rows, here = [], path
    while True:
        html = client.get(here).content.decode()
        rows.append(len(re.findall(row, html)))
        later = re.search(rf'rel="next" href="[^"?]*\?({name}=\d+)"', html)
        if later is None:
            return rows
        here = f"{path}?{later[1]}"


# Friends ------------------------------------------------------------------------------------------


def known(user: User, count: int) -> None:
    """Give the user this many friends, requests, and blocked people."""
    everybody = people(3 * count)
    now = timezone.now()
    Friendship.objects.bulk_create(
        Friendship(asked_by=one, asked=user, accepted_at=now) for one in everybody[:count]
    )
    Friendship.objects.bulk_create(
        Friendship(asked_by=one, asked=user) for one in everybody[count : 2 * count]
    )
    Block.objects.bulk_create(Block(blocker=user, blocked=one) for one in everybody[2 * count :])


@pytest.mark.nightly
def test_the_page_of_friends_costs_the_same_however_many_they_are(ada):
    known(ada, ROWS + 1)
    client = browser(ada)
    few, _ = cost(client, "/account/people/")
    Friendship.objects.all().delete()
    Block.objects.all().delete()
    User.objects.exclude(pk=ada.pk).delete()
    known(ada, 10 * ROWS)

    many, html = cost(client, "/account/people/")

    assert many == few
    assert html.count('class="person-row"') == 3 * ROWS


def test_only_the_newest_of_a_friend_s_many_tables_are_listed(ada):
    boris = person("Boris")
    Friendship.objects.create(asked_by=boris, asked=ada, accepted_at=timezone.now())
    copies(run_table(["Boris", "Chika", "Dario", "Ewa", "Fumio"]), 3 * TABLES_OF_A_FRIEND)

    html = browser(ada).get("/account/people/").content.decode()

    listed = re.findall(r'href="/tables/(\w+)/"', html.split('class="person-tables"')[1])
    newest = Table.objects.order_by("-created_at").values_list("code", flat=True)
    assert listed == list(newest[:TABLES_OF_A_FRIEND])


# Sessions -----------------------------------------------------------------------------------------


def test_sessions_are_paged_and_this_one_is_the_first(ada):
    for _ in range(64):
        browser(ada).get("/account/sessions/")
    here = browser(ada)

    rows = through(here, "/account/sessions/", "<dt>")

    assert rows == [30, 30, 5]
    first = here.get("/account/sessions/").content.decode()
    assert "this one" in first.split("</dt>")[0]
    assert "this one" not in here.get("/account/sessions/?page=2").content.decode()
    assert "End all others" in here.get("/account/sessions/?page=3").content.decode()


def test_sessions_that_have_run_out_are_forgotten_as_they_are_listed(ada):
    others = [browser(ada) for _ in range(3)]
    for other in others:
        other.get("/account/sessions/")
    here = browser(ada)
    others[0].session.flush()

    assert through(here, "/account/sessions/", "<dt>") == [3]
    assert UserSession.objects.filter(user=ada).count() == 3


# Moderators ---------------------------------------------------------------------------------------


@pytest.fixture
def mira():
    return moderator()


def sanctions(user: User, by: User, count: int, **how: object) -> None:
    now = timezone.now() - timedelta(days=9)
    Sanction.objects.bulk_create(
        Sanction(
            **{"user": user, "by": by, "kind": "mute", "reason": "-", "language": "en"}
            | {"at": now + timedelta(minutes=number)}
            | how
        )
        for number in range(count)
    )


def test_a_person_s_sanctions_are_paged_for_moderators_and_for_themselves(ada, mira):
    sanctions(ada, mira, 45, ends_at=timezone.now() - timedelta(days=1))
    NameChange.objects.bulk_create(
        NameChange(user=ada, old=f"Old {n}", new="New", at=timezone.now()) for n in range(70)
    )

    path = f"/moderation/people/{ada.pk}/"
    assert through(browser(mira), path, 'class="standing-one') == [20, 20, 5]
    assert browser(mira).get(path).content.decode().count("<bdi>Old ") == 50
    assert through(browser(ada), "/account/standing/", 'class="standing-one') == [20, 20, 5]


@pytest.fixture
def case(mira) -> Case:
    """Return the case of Boris, with reports by 100 spectators of a game."""
    table = run_table(["Nadia", "Boris", "Petra", "Quim", "Rosa"])
    now = timezone.now()
    case = Case.objects.create(
        person=person("Boris"), table=table, language="en", opened_at=now, newest_at=now,
        reports_count=100,
    )  # fmt: skip
    Report.objects.bulk_create(
        Report(
            case=case, reporter=one, thing=f"seat:{number}", seat=1, called="Boris",
            reason="abuse" if number % 2 else "spam", language="en", about="person", at=now,
            words=f"Words {number}.",
        )
        for number, one in enumerate(people(100))
    )  # fmt: skip
    CaseStep.objects.bulk_create(
        CaseStep(case=case, by=mira, kind=CaseStep.Kind.CLAIM, at=now) for _ in range(200)
    )
    return case


def test_a_case_s_reports_are_paged_and_all_of_them_counted(case, mira):
    client, path = browser(mira), f"/moderation/cases/{case.pk}/"

    Table.objects.update(stage=Table.Stage.CLOSED)
    rows = through(client, path, 'class="case-words')

    assert rows == [REPORTS_ON_A_PAGE] * 3 + [10]
    html = client.get(f"{path}?page=4").content.decode()
    assert "Words 99." in html and "Words 1." not in html


@pytest.mark.nightly
def test_the_queue_and_a_case_cost_the_same_with_one_report_and_with_100(case, mira):
    client = browser(mira)
    paths = ["/moderation/", f"/moderation/cases/{case.pk}/"]
    # The first request also reads what a process then remembers.
    _ = [client.get(path) for path in paths]
    many = [cost(client, path)[0] for path in paths]
    Report.objects.exclude(pk=Report.objects.order_by("pk").first().pk).delete()

    assert [cost(client, path)[0] for path in paths] == many


def test_the_page_of_order_lists_the_newest_acts(mira):
    table = gather(["Nadia", "Boris", "Petra", "Quim", "Rosa"])
    Ruling.objects.bulk_create(
        Ruling(table=table, ordinal=n, kind="freeze", because="wish", reason=f"Why {n}.", by=mira,
               at=timezone.now())
        for n in range(1, 251)
    )  # fmt: skip

    html = browser(mira).get(f"/tables/{table.code}/order/").content.decode()

    assert "Why 250." in html and "Why 151." in html and "Why 150." not in html
