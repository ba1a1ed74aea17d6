"""Waiting for a table: who is called to which, and when a table opens for those who wait."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Block, Notification, User
from games.models import Joiners, Presence, Table, Terms, Visibility, Wish
from games.selectors.open_tables import TableFilters
from games.services import tables, wishes
from games.services.wishes import Demand, Lasts
from tests.builders.person import Person, forms_of
from tests.builders.tables import NAMES, person

ANY = TableFilters()


@pytest.fixture
def ada(db) -> User:
    return person("Ada")


def opened(host: str = "Sofia", **terms: object) -> Table:
    how = {"edition": "en", "seats_wanted": 7} | terms
    return tables.open_table(host=person(host), terms=Terms(**how))


def waits(user: User, filters: TableFilters = ANY, lasts: Lasts = Lasts.HOUR) -> Wish:
    return wishes.make_wish(user=user, filters=filters, lasts=lasts)


def calls(user: User) -> list[str]:
    told = Notification.objects.filter(user=user, kind=Notification.Kind.CALLED)
    return list(told.values_list("about", flat=True))


def is_here(*users: User) -> None:
    for user in users:
        Presence.objects.create(process="p", user=user, seen_at=timezone.now())


def test_a_user_is_called_once_when_a_table_opens(ada):
    waits(ada)
    assert wishes.call_all() == 0
    table = opened()

    assert wishes.call_all() == 1
    assert wishes.call_all(timezone.now() + timedelta(minutes=3)) == 0

    assert calls(ada) == [table.code]
    assert Wish.objects.get(user=ada).table == table


def test_a_table_that_does_not_fit_calls_no_one(ada):
    waits(ada, TableFilters(language="pl", size="9-10"))
    opened(languages=("en",))
    opened("Boris", seats_wanted=5, languages=("pl",))

    assert wishes.call_all() == 0

    table = opened("Chika", least_seats=9, seats_wanted=10, languages=("pl",))
    assert wishes.call_all() == 1
    assert calls(ada) == [table.code]


@pytest.mark.parametrize(
    "terms", [{"visibility": Visibility.UNLISTED}, {"joiners": Joiners.FRIENDS}]
)
def test_no_one_is_called_to_a_table_they_could_not_join(ada, terms):
    waits(ada)
    opened(**terms)

    assert wishes.call_all() == 0


@pytest.mark.parametrize("is_by_host", [True, False])
def test_people_who_block_each_other_are_not_called_together(ada, is_by_host):
    waits(ada)
    table = opened()
    pair = (table.host, ada) if is_by_host else (ada, table.host)
    Block.objects.create(blocker=pair[0], blocked=pair[1])

    assert wishes.call_all() == 0


def test_a_blind_table_calls_people_no_matter_whom_they_block(ada):
    waits(ada)
    Block.objects.create(blocker=ada, blocked=opened(is_blind=True).host)

    assert wishes.call_all() == 1


def test_a_wish_ends_with_its_time_or_when_the_user_sits(ada):
    waits(ada)
    wishes.call_all(timezone.now() + timedelta(hours=2))
    assert wishes.wish_of(ada) is None

    waits(ada)
    tables.join_table(table=opened(), user=ada)
    wishes.call_all()
    assert wishes.wish_of(ada) is None


def test_a_new_wish_replaces_the_old_one(ada):
    waits(ada, TableFilters(language="pl"))
    waits(ada, TableFilters(language="it"), Lasts.WEEK)

    assert [wish.language for wish in Wish.objects.filter(user=ada)] == ["it"]


def test_enough_people_who_are_here_and_want_the_same_get_a_table(db):
    people = [person(name) for name in NAMES[:5]]
    for user in people:
        waits(user, TableFilters(language="pl"))
    is_here(*people)

    wishes.call_all()

    table = Table.objects.get()
    assert table.host == people[0] and table.languages == ["pl"] and table.edition == "pl"
    assert all(calls(user) == [table.code] for user in people)
    # Only the host has a seat: the others have been called.
    assert table.seats.count() == 1


def test_too_few_people_or_people_who_are_away_get_no_table(db):
    people = [person(name) for name in NAMES[:5]]
    for user in people:
        waits(user)
    is_here(*people[:4])
    wishes.call_all()
    assert not Table.objects.exists()


def test_people_who_want_different_things_get_no_table_together(db):
    people = [person(name) for name in NAMES[:6]]
    for number, user in enumerate(people):
        waits(user, TableFilters(language=("pl", "it")[number % 2]))
    is_here(*people)

    wishes.call_all()

    assert not Table.objects.exists()


def test_the_lobby_tells_how_many_wait_and_never_who(ada):
    for name in ("Boris", "Chika"):
        waits(person(name), TableFilters(language="pl"))

    assert wishes.demand() == (Demand(2, "", "", "", "pl"),)
    page = Person(ada, Table()).get("/").content.decode()
    section = page.split('class="demand"')[1].split("</section>")[0]
    assert "2 players" in section and "Boris" not in section and "Chika" not in section


def test_without_an_open_table_the_lobby_offers_three_ways(ada):
    me = Person(ada, Table())
    answer = me.post("/join/", {"language": "pl"})
    assert answer.url == "/?language=pl&looked=on#looked"
    page = me.get("/?language=pl&looked=on").content.decode()
    assert "No table has a seat for you right now" in page
    assert 'id="wish-now"' in page and 'id="bots-meanwhile"' in page and "/tables/new/" in page

    me.post("/quick/", {"wish": "on", "language": "pl"})

    wish = Wish.objects.get(user=ada)
    assert wish.language == "pl"
    assert Table.objects.get().stage != Table.Stage.OPEN


def test_a_user_can_wait_and_stop_waiting(ada):
    me = Person(ada, Table())
    me.post("/wish/", {"lasts": "week", "pace": "normal"})
    assert "You’ll be called" in me.get("/").content.decode()
    assert wishes.wish_of(ada).until > timezone.now() + timedelta(days=6)

    me.post("/wish/", {"drop": "on"})
    assert wishes.wish_of(ada) is None


def test_nonsense_in_a_wish_is_left_out(ada):
    Person(ada, Table()).post("/wish/", {"lasts": "ever", "pace": "song", "language": "xx"})

    wish = wishes.wish_of(ada)
    assert (wish.pace, wish.language) == ("", "")
    assert wish.until <= timezone.now() + timedelta(hours=1)


# The call above every page ------------------------------------------------------------------------


def called(user: User, path: str = "/rules/") -> str:
    """Return what stands above a page that the user opens."""
    page = Person(user, Table()).get(path).content.decode()
    return page.split('id="called"')[1].split("</div>")[0]


def test_a_user_who_plays_with_bots_meanwhile_is_led_to_the_table(ada):
    me = Person(ada, Table())
    me.post("/quick/", {"wish": "on"})
    own = Table.objects.get()
    assert "Your table is ready" not in called(ada, own.get_absolute_url())
    table = opened()
    wishes.call_all()

    for path in (own.get_absolute_url(), "/rules/"):
        assert "Your table is ready" in called(ada, path)
    assert "Your table is ready" not in called(ada, table.get_absolute_url())
    # The page with a socket asks for the same.
    rung = me.get("/account/notifications/bell/").content.decode()
    assert rung.count('data-hx-swap-oob="true"') == 2 and "Your table is ready" in rung

    form = forms_of(rung)[0]
    assert me.post(form.action, form.fields).url == table.get_absolute_url()
    assert "Your table is ready" not in called(ada)


def test_a_call_can_be_put_off_and_is_over_after_an_hour(ada):
    waits(ada)
    opened()
    wishes.call_all()
    Notification.objects.update(at=timezone.now() - timedelta(minutes=61))
    assert "Your table is ready" not in called(ada)
    Notification.objects.update(at=timezone.now())

    page = Person(ada, Table()).get("/rules/?a=b").content.decode()
    form = [form for form in forms_of(page) if "pk" in form.fields][1]
    assert Person(ada, Table()).post(form.action, form.fields).url == "/rules/?a=b"
    assert "Your table is ready" not in called(ada)


@pytest.mark.parametrize("end", ["full", "closed", "seated"])
def test_a_call_that_leads_nowhere_any_more_is_taken_back(ada, end):
    waits(ada)
    table = opened(seats_wanted=5)
    wishes.call_all()
    assert calls(ada) == [table.code]
    if end == "full":
        for name in NAMES[3:7]:
            tables.join_table(table=table, user=person(name))
    elif end == "closed":
        Table.objects.update(stage=Table.Stage.CLOSED)
    else:
        tables.join_table(table=table, user=ada)
        Presence.objects.create(process="p", user=ada, table=table, seen_at=timezone.now())

    wishes.call_all()

    assert calls(ada) == []


@pytest.mark.parametrize("end", ["full", "running", "closed"])
def test_no_page_offers_a_table_that_has_no_seat_any_more(ada, end):
    waits(ada)
    table = opened(seats_wanted=5)
    wishes.call_all()
    assert "English rules" in called(ada) and "1/5" in called(ada)
    lobby = Person(ada, Table())
    assert f'href="{table.get_absolute_url()}">Go to the table' in lobby.get("/").content.decode()
    if end == "full":
        for name in NAMES[3:7]:
            tables.join_table(table=table, user=person(name))
    elif end == "running":
        Table.objects.update(stage=Table.Stage.RUNNING)
    else:
        Table.objects.update(stage=Table.Stage.CLOSED)

    # No worker has looked since.
    assert calls(ada) == [table.code]
    assert "form" not in called(ada)
    assert "Go to the table" not in lobby.get("/").content.decode()


def test_a_user_who_was_seated_by_a_call_keeps_it_until_they_come(ada):
    table = opened()
    tables.join_table(table=table, user=ada)
    Notification.objects.create(
        user=ada, kind=Notification.Kind.CALLED, about=table.code, at=timezone.now()
    )

    wishes.call_all()

    assert calls(ada) == [table.code]
    Table.objects.update(stage=Table.Stage.RUNNING)
    assert "Your table is ready" in called(ada)


def test_a_new_public_table_has_those_who_wait_called_at_once(
    ada, django_capture_on_commit_callbacks, monkeypatch
):
    sent = []
    monkeypatch.setattr(
        tables.app, "send_task", lambda name, kwargs, **how: sent.append((name, kwargs))
    )
    with django_capture_on_commit_callbacks(execute=True):
        opened("Boris")
    assert sent == [], "no one waits"

    waits(ada)
    with django_capture_on_commit_callbacks(execute=True):
        opened("Chika", visibility=Visibility.UNLISTED)
        assert sent == []
        opened("Sofia")
    assert sent == [("games.tasks.call_to_tables", {"may_open": False})]


def test_two_workers_at_once_call_a_user_once(ada, monkeypatch):
    waits(ada)
    table = opened()
    pushes = []
    monkeypatch.setattr(wishes.web_push, "push_call", lambda **how: pushes.append(how))
    may_join = wishes._may_join

    def slowly(*both):
        monkeypatch.setattr(wishes, "_may_join", may_join)
        wishes.call_all(may_open=False)
        return may_join(*both)

    monkeypatch.setattr(wishes, "_may_join", slowly)

    assert wishes.call_all() == 0
    assert len(pushes) == 1 and calls(ada) == [table.code]
    assert Table.objects.count() == 1


def test_a_worker_that_comes_besides_opens_no_table(db):
    people = [person(name) for name in NAMES[:5]]
    for user in people:
        waits(user)
    is_here(*people)

    assert wishes.call_all(may_open=False) == 0
    assert not Table.objects.exists()
