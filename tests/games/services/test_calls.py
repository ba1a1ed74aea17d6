"""Waiting for a call: who is called to which table, and when one opens for those who wait."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Block, Notification, User
from accounts.services.signals import new_device, note_signals
from games.models import GameRequest, Joiners, Presence, Table, Terms, Visibility
from games.services import calls, game_requests, tables
from games.services.game_requests import Demand, How, Search
from tests.builders.person import Person, forms_of
from tests.builders.tables import NAMES, person

ANY = Search(pace="")
LATER = timedelta(seconds=10)


@pytest.fixture
def ada(db) -> User:
    return person("Ada")


def opened(host: str = "Sofia", **terms: object) -> Table:
    how = {"edition": "en", "seats_wanted": 7} | terms
    return tables.open_table(host=person(host), terms=Terms(**how))


def waits(*users: User, search: Search = ANY, how: How = How.HOUR) -> None:
    for user in users:
        game_requests.request_game(user=user, search=search, how=how)


def call(after: timedelta = LATER) -> int:
    return calls.call_waiting(timezone.now() + after)


def calls_of(user: User) -> list[str]:
    told = Notification.objects.filter(user=user, kind=Notification.Kind.CALLED)
    return list(told.values_list("about", flat=True))


def is_here(*users: User) -> None:
    for user in users:
        Presence.objects.create(process="p", user=user, seen_at=timezone.now())


def test_a_user_is_called_once_when_a_table_opens(ada):
    waits(ada)
    assert call() == 0
    table = opened()

    assert call() == 1
    assert call(timedelta(minutes=3)) == 0

    assert calls_of(ada) == [table.code]
    assert GameRequest.objects.get(user=ada).table == table
    assert not table.seats.filter(user=ada).exists()


def test_calls_come_at_most_every_two_minutes(ada):
    waits(ada)
    opened()
    call()
    second = opened("Boris")

    assert call(timedelta(minutes=1)) == 0
    assert call(timedelta(minutes=3)) == 1
    assert second.code in calls_of(ada)


def test_a_table_that_does_not_fit_calls_no_one(ada):
    waits(ada, search=Search(pace="normal", languages=("pl",), size="9-10"))
    opened(languages=("en",))
    opened("Boris", seats_wanted=5, languages=("pl",))
    opened("Dario", least_seats=9, seats_wanted=10, languages=("pl",), pace="blitz")

    assert call() == 0

    table = opened("Chika", least_seats=9, seats_wanted=10, languages=("pl",))
    assert call() == 1
    assert calls_of(ada) == [table.code]


@pytest.mark.parametrize(
    "terms", [{"visibility": Visibility.UNLISTED}, {"joiners": Joiners.FRIENDS}]
)
def test_no_one_is_called_to_a_table_they_could_not_join(ada, terms):
    waits(ada)
    opened(**terms)

    assert call() == 0


def test_no_one_is_called_where_they_were_removed_or_where_their_other_account_sits(ada):
    waits(ada)
    opened().kicks.create(user=ada)
    device = new_device()
    for user in (opened("Boris").host, ada):
        note_signals(user=user, address="203.0.113.7", device=device, now=timezone.now())

    assert call() == 0


@pytest.mark.parametrize("is_by_host", [True, False])
def test_people_who_block_each_other_are_not_called_together(ada, is_by_host):
    waits(ada)
    table = opened()
    pair = (table.host, ada) if is_by_host else (ada, table.host)
    Block.objects.create(blocker=pair[0], blocked=pair[1])

    assert call() == 0


def test_a_blind_table_calls_people_no_matter_whom_they_block(ada):
    waits(ada)
    Block.objects.create(blocker=ada, blocked=opened(is_blind=True).host)

    assert call() == 1


def test_a_request_ends_with_its_time(ada):
    waits(ada)
    later = timezone.now() + timedelta(hours=2)
    assert game_requests.request_of(ada, later) is None

    game_requests.forget_old(later)
    assert not GameRequest.objects.exists()


@pytest.mark.parametrize(
    ("terms", "ends"),
    [({}, True), ({"pace": "blitz"}, False), ({"visibility": Visibility.UNLISTED}, False)],
)
def test_a_seat_at_a_public_table_of_the_pace_ends_the_wait(ada, terms, ends):
    waits(ada, search=Search(pace="normal"))
    tables.join_table(table=opened(**terms), user=ada)

    assert (game_requests.request_of(ada) is None) == ends


def test_a_new_request_replaces_the_old_one(ada):
    waits(ada, search=Search(languages=("pl",)))
    waits(ada, search=Search(languages=("it",)), how=How.WEEK)

    assert [row.languages for row in GameRequest.objects.filter(user=ada)] == [["it"]]


def test_enough_people_who_are_here_and_want_the_same_get_a_table(db):
    people = [person(name) for name in NAMES[:5]]
    waits(*people, search=Search(languages=("pl",)))
    is_here(*people)

    assert call() == 5

    table = Table.objects.get()
    assert table.host == people[0] and table.languages == ["pl"] and table.edition == "pl"
    assert all(calls_of(user) == [table.code] for user in people)
    # Only the host has a seat: the others have been called.
    assert table.seats.count() == 1
    assert game_requests.request_of(people[0]) is None


def test_the_next_one_hosts_if_the_first_may_not_open_a_table(db, settings):
    settings.HOSTED_TABLES = 1
    people = [person(name) for name in NAMES[:5]]
    opened(NAMES[0], visibility=Visibility.UNLISTED)
    waits(*people)
    is_here(*people)

    assert call() == 5
    assert Table.objects.latest("pk").host == people[1]


def test_too_few_people_or_people_who_are_away_get_no_table(db):
    people = [person(name) for name in NAMES[:5]]
    waits(*people)
    is_here(*people[:4])

    assert call() == 0
    assert not Table.objects.exists()


def test_people_who_want_different_things_or_block_each_other_get_no_table_together(db):
    people = [person(name) for name in NAMES[:6]]
    waits(*people[:2], search=Search(languages=("pl",)))
    waits(*people[2:], search=Search(languages=("it",)))
    is_here(*people)
    assert call() == 0

    waits(person("Ada"), search=Search(languages=("it",)))
    Block.objects.create(blocker=people[0], blocked=people[5])
    assert call() == 0
    assert not Table.objects.exists()


def test_the_lobby_tells_how_many_wait_and_never_who(ada):
    waits(person("Boris"), person("Chika"), search=Search(languages=("pl",)))
    waits(ada)

    assert game_requests.demand(besides=ada.pk) == (Demand(2, "normal", ("pl",), ""),)
    page = Person(ada, Table()).get("/").content.decode()
    section = page.split('class="demand"')[1].split("</section>")[0]
    assert "2 players" in section and "Boris" not in section and "Chika" not in section


# The call above every page ------------------------------------------------------------------------


def called(user: User, path: str = "/rules/") -> str:
    """Return what stands above a page that the user opens."""
    page = Person(user, Table()).get(path).content.decode()
    return page.split('id="called"')[1].split("</div>")[0]


def test_a_user_who_plays_with_bots_meanwhile_is_led_to_the_table(ada):
    me = Person(ada, Table())
    waits(ada)
    me.post("/quick/")
    own = Table.objects.get()
    assert "Your table is ready" not in called(ada, own.get_absolute_url())
    table = opened()
    call()

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
    call()
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
    call()
    assert calls_of(ada) == [table.code]
    if end == "full":
        for name in NAMES[3:7]:
            tables.join_table(table=table, user=person(name))
    elif end == "closed":
        Table.objects.update(stage=Table.Stage.CLOSED)
    else:
        tables.join_table(table=table, user=ada)
        Presence.objects.create(process="p", user=ada, table=table, seen_at=timezone.now())

    call()

    assert calls_of(ada) == []


@pytest.mark.parametrize("end", ["full", "running", "closed"])
def test_no_page_offers_a_table_that_has_no_seat_any_more(ada, end):
    waits(ada)
    table = opened(seats_wanted=5)
    call()
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
    assert calls_of(ada) == [table.code]
    assert "form" not in called(ada)
    assert "Go to the table" not in lobby.get("/").content.decode()


def test_a_user_who_was_seated_by_a_call_keeps_it_until_they_come(ada):
    table = opened()
    tables.join_table(table=table, user=ada)
    Notification.objects.create(
        user=ada, kind=Notification.Kind.CALLED, about=table.code, at=timezone.now()
    )

    call()

    assert calls_of(ada) == [table.code]
    Table.objects.update(stage=Table.Stage.RUNNING)
    assert "Your table is ready" in called(ada)


def test_two_workers_at_once_call_a_user_once(ada, monkeypatch):
    waits(ada)
    table = opened()
    may_be_called = calls._may_be_called

    def slowly(*both):
        monkeypatch.setattr(calls, "_may_be_called", may_be_called)
        call()
        return may_be_called(*both)

    monkeypatch.setattr(calls, "_may_be_called", slowly)

    assert call() == 0
    assert calls_of(ada) == [table.code]
    assert Notification.objects.exclude(push_at=None).count() == 1


def test_two_workers_at_once_open_one_table(db, monkeypatch):
    people = [person(name) for name in NAMES[:5]]
    waits(*people)
    is_here(*people)
    here_among = calls.here_among

    def slowly(*both):
        monkeypatch.setattr(calls, "here_among", here_among)
        found = here_among(*both)
        call()
        return found

    monkeypatch.setattr(calls, "here_among", slowly)

    assert call() == 0
    assert Table.objects.count() == 1
