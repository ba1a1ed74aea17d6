"""Who is connected: noted by each process, shown at the seats, counted in the lobby."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.services import friends
from games.live.presence import PresenceReporter
from games.models import Presence, Table
from games.services import presence, tables
from games.services.presence import GLIMPSE, GRACE, STALE, Register
from tests.builders.person import Person
from tests.builders.sockets import Socket, does
from tests.builders.tables import NAMES, fresh, gather, person, run_table

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nobody_is_here() -> Iterator[None]:
    presence.register.forget_all()
    yield
    presence.register.forget_all()


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def register(clock, monkeypatch) -> Register:
    """This process's register, by a clock of our own."""
    register = Register(clock)
    monkeypatch.setattr(presence, "register", register)
    return register


def pk(name: str) -> int:
    return person(name).pk


def unconnected(table: Table) -> set[str]:
    """Whom the table shows as not connected."""
    return set(table.seats.filter(is_connected=False).values_list("name", flat=True))


def come(register: Register, table: Table, *names: str) -> None:
    for name in names:
        register.came(pk(name), table.pk)


def only(table: Table, *names: str) -> set[str]:
    return set(table.seats.values_list("name", flat=True)) - set(names)


# A process's own people ---------------------------------------------------------------------------


def test_who_reloads_a_page_was_never_gone(register, clock):
    register.came(1, 7)
    register.went(1, 7)
    clock.now += GRACE - 1
    assert register.here() == {(1, 7)}

    register.came(1, 7)
    clock.now += 10 * GRACE

    assert register.here() == {(1, 7)}


def test_who_leaves_is_gone_after_a_moment(register, clock):
    register.came(1, 7)
    register.came(1, None)
    register.went(1, 7)
    clock.now += GRACE + 0.1

    assert register.here() == {(1, None)}


def test_a_second_window_keeps_someone_here(register, clock):
    register.came(1, 7)
    register.came(1, 7)
    register.went(1, 7)
    clock.now += GRACE + 0.1

    assert register.here() == {(1, 7)}


def test_who_only_polls_is_here_between_two_polls(register, clock):
    register.glimpsed(1, 7)
    clock.now += GLIMPSE - 1
    assert register.here() == {(1, 7)}
    clock.now += 2
    assert register.here() == set()


def test_the_quiet_poll_of_a_page_counts(table, seated, register):
    seated[2].get(f"{seated[2].url}panels/")

    assert register.here() == {(pk("Chika"), table.pk)}


# The seats ----------------------------------------------------------------------------------------


def test_seats_show_who_is_connected_and_who_is_not(table, register):
    come(register, table, "Ada", "Boris")
    PresenceReporter().tell()
    # The others have just sat down, and their pages may be on their way.
    assert unconnected(table) == set()

    presence.clean(now=timezone.now())

    assert unconnected(table) == only(table, "Ada", "Boris")
    page = Person(None, table).page()
    assert page.count('class="mark-unconnected"') == 3


def test_someone_who_comes_and_goes_changes_their_seat_and_its_version(table, register, clock):
    attendance = PresenceReporter()
    come(register, table, *NAMES[:5])
    attendance.tell()
    version = fresh(table).version

    register.went(pk("Ewa"), table.pk)
    clock.now += GRACE + 1
    attendance.tell()
    assert unconnected(table) == {"Ewa"}
    assert fresh(table).version == version + 1

    come(register, table, "Ewa")
    attendance.tell()
    assert unconnected(table) == set()
    assert fresh(table).version == version + 2


def test_a_reload_writes_nothing(table, register, clock):
    attendance = PresenceReporter()
    come(register, table, *NAMES[:5])
    attendance.tell()

    register.went(pk("Ewa"), table.pk)
    clock.now += GRACE / 2
    ewa = pk("Ewa")
    with CaptureQueriesContext(connection) as asked:
        attendance.tell()
        register.came(ewa, table.pk)
        attendance.tell()

    assert len(asked) == 0


def test_who_is_served_by_two_processes_is_here_until_both_have_lost_them(table, register, clock):
    other = PresenceReporter()
    come(register, table, *NAMES[:5])
    attendance = PresenceReporter()
    attendance.tell()
    other.tell()

    for name in NAMES[:5]:
        register.went(pk(name), table.pk)
    clock.now += GRACE + 1
    attendance.tell()
    assert unconnected(table) == set()

    other.tell()
    assert unconnected(table) == set(NAMES[:5])


def test_a_killed_process_s_people_are_gone_after_a_while(table, register):
    come(register, table, *NAMES[:5])
    killed = PresenceReporter()
    killed.tell()
    now = timezone.now()

    presence.clean(now=now + STALE - timedelta(seconds=1))
    assert unconnected(table) == set()
    presence.clean(now=now + STALE + timedelta(seconds=1))

    assert unconnected(table) == set(NAMES[:5])
    assert not Presence.objects.exists()


def test_many_seats_change_a_few_tables_at_a_time_until_all_are_right(register, monkeypatch):
    monkeypatch.setattr(presence, "TABLES_AT_ONCE", 2)
    running = [run_table() for _ in range(5)]
    attendance = PresenceReporter()
    for each in running:
        come(register, each, *NAMES[:5])
    attendance.tell()
    attendance.start_anew()
    register.forget_all()
    attendance._cleaned_at -= 1000

    wrong = []
    for _ in range(4):
        attendance.tell()
        wrong.append(sum(not unconnected(each) for each in running))

    assert wrong == [3, 1, 0, 0]


def test_seats_that_a_report_leaves_are_marked_the_next_time(register, monkeypatch, clock):
    running = [run_table() for _ in range(3)]
    attendance = PresenceReporter()
    for each in running:
        come(register, each, *NAMES[:5])
    attendance.tell()
    monkeypatch.setattr(presence, "TABLES_AT_ONCE", 2)
    register.forget_all()

    attendance.tell()
    assert sum(not unconnected(each) for each in running) == 1
    attendance.tell()
    assert sum(not unconnected(each) for each in running) == 0


def test_a_process_that_was_taken_for_dead_tells_all_again(table, register):
    come(register, table, *NAMES[:5])
    attendance = PresenceReporter()
    attendance.tell()
    presence.clean(now=timezone.now() + 2 * STALE)
    assert unconnected(table) == set(NAMES[:5])

    attendance._repeated_at -= 1000
    attendance.tell()
    attendance.tell()

    assert unconnected(table) == set()


def test_bots_and_empty_chairs_are_neither(register):
    table = gather(NAMES[:3], bots=2)
    person(NAMES[2]).delete()

    presence.clean(now=timezone.now())

    assert unconnected(table) == {"Ada", "Boris"}
    assert Person(None, table).page().count('class="mark-unconnected"') == 2


def test_who_takes_a_seat_where_they_were_watching_is_connected(register):
    table = gather(NAMES[:5])
    tables.leave_table(table=table, user=person("Ewa"))
    come(register, table, *NAMES[:5])
    PresenceReporter().tell()

    tables.join_table(table=table, user=person("Ewa"))
    presence.clean(now=timezone.now())

    assert unconnected(table) == set()


# The lobby, and friends ---------------------------------------------------------------------------


def test_the_lobby_counts_each_person_once_wherever_they_are(table, register):
    come(register, table, "Ada", "Boris")
    register.came(pk("Ada"), None)
    register.came(pk("Sofia"), None)
    PresenceReporter().tell()

    assert "3 people here" in Person(None, table).get("/").content.decode()


def friends_page(name: str) -> str:
    return Person(person(name), Table()).get("/account/people/").content.decode()


def befriend(one: str, other: str) -> None:
    friends.request_friendship(user=person(one), name=person(other).username)
    friends.accept_friend(user=person(other), other=person(one))


HERE, GONE = 'class="tag here"', 'class="tag gone"'


def test_friends_see_whether_one_is_here_and_at_which_public_tables(table, register):
    befriend("Sofia", "Ada")
    page = friends_page("Sofia")
    assert GONE in page and table.get_absolute_url() in page

    register.came(pk("Ada"), None)
    PresenceReporter().tell()

    assert HERE in friends_page("Sofia")


@pytest.mark.parametrize(
    "hidden", [{"is_blind": True}, {"visibility": "private"}, {"visibility": "unlisted"}]
)
def test_a_friend_s_hidden_table_is_not_on_the_page(table, hidden):
    befriend("Sofia", "Ada")
    Table.objects.filter(pk=table.pk).update(**hidden)

    assert table.code not in friends_page("Sofia")


def test_a_private_table_is_shown_to_friends_who_sit_there(db):
    table = run_table(is_private=True)
    befriend("Boris", "Ada")

    assert table.code in friends_page("Boris")


def test_at_a_blind_table_no_seat_tells_who_comes_and_goes(table, register, clock):
    """It could be laid beside the hours of a friend."""
    befriend("Sofia", "Ada")
    Table.objects.filter(pk=table.pk).update(is_blind=True, version=F("version") + 1)
    attendance = PresenceReporter()
    watcher = Person(person("Sofia"), table)
    pages = []
    for move in (register.came, register.went, register.came):
        move(pk("Ada"), table.pk)
        clock.now += GRACE + 1
        attendance.tell()
        pages.append(watcher.page())
        assert table.code not in friends_page("Sofia")

    assert not any("mark-unconnected" in page for page in pages)


# Sockets ------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_lines")
async def test_a_seat_follows_its_socket_and_the_others_see_it(transactional_db, register, clock):
    table = await does(run_table)()
    attendance = PresenceReporter()

    def tell() -> None:
        attendance.tell()
        presence.clean(now=timezone.now())

    boris = await Socket(await does(lambda: Person(person("Boris"), table))()).catches_up()
    ada = await Socket(await does(lambda: Person(person("Ada"), table))()).catches_up()
    assert register.here() == {(await does(pk)(name), table.pk) for name in ("Ada", "Boris")}
    await does(tell)()
    assert "seats" in await boris.frame()
    assert await does(unconnected)(table) == set(NAMES[2:5])

    await ada.line.disconnect()
    clock.now += GRACE + 1
    await does(tell)()

    assert "seats" in await boris.frame()
    assert await does(unconnected)(table) == {"Ada", *NAMES[2:5]}
    await boris.line.disconnect()
