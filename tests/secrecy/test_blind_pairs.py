"""Players at a blind table: two worlds that differ only in the accounts look the same.

As `test_pairs` does for cards: the same game, the same table, the same names of towns, but other
accounts in all seats except the viewer's. Compared are bytes, headers, numbers of queries, lines
of the log, keys of the cache, and the first frames of the table's and the lobby's sockets.
"""

from collections.abc import Iterator
from random import Random

import pytest
from django.utils import timezone

from accounts.models import Friendship, User
from games.models import Sat, Seat, Table
from games.services.pseudonyms import PSEUDONYMS
from tests.builders.sockets import Socket, does
from tests.nightly import by_day
from tests.secrecy.histories import History, random_history
from tests.secrecy.pairs import told_apart
from tests.secrecy.stage import Cast, Stage, forget, held_still
from tests.secrecy.surfaces import Seen, received

pytestmark = pytest.mark.django_db(transaction=True)

LUCK = 7


@pytest.fixture
def still() -> Iterator[None]:
    with held_still():
        yield


def blind_stage(rng: Random) -> tuple[Stage, History, int]:
    history = random_history(rng)
    while sum(not is_bot for is_bot in history.bots) < 4:
        history = random_history(rng)
    stage = Stage(Cast(), history, rng)
    for seat, town in zip(stage.table.seats.exclude(user=None), PSEUDONYMS, strict=False):
        Seat.objects.filter(pk=seat.pk).update(name=town)
    Table.objects.filter(pk=stage.table.pk).update(is_blind=True)
    stage.seats = list(stage.table.seats.values())
    return stage, history, len(history.states) // 2


def seat_people(stage: Stage, people: list[User | None]) -> None:
    """Put these users into the seats, as if they had always been there."""
    Seat.objects.filter(table=stage.table).update(user=None)
    Sat.objects.filter(table=stage.table).delete()
    for seat, user in zip(stage.table.seats.all(), people, strict=True):
        seat.user = user
        seat.save(update_fields=["user"])
    Table.objects.filter(pk=stage.table.pk).update(host=people[0])
    stage.users = people
    stage.seats = list(stage.table.seats.values())
    forget()


def other_people(stage: Stage, viewer: int | str, rng: Random) -> list[User | None]:
    """Return other users for all seats but the viewer's; some had other seats or none."""
    seated = [user for user in stage.users if user is not None]
    own = stage.users[viewer] if isinstance(viewer, int) else None
    strangers = [user for user in stage.cast.players if user not in seated]
    pool = [user for user in seated if user != own] + strangers
    rng.shuffle(pool)
    return [user if user is None or user == own else pool.pop() for user in stage.users]


def befriend_everybody_seated(stage: Stage, viewer: User | None) -> None:
    """Make the viewer a friend of all players in one world, and not in the other."""
    for user in stage.users:
        if viewer is not None and user not in (None, viewer):
            Friendship.objects.create(asked_by=viewer, asked=user, accepted_at=timezone.now())


def looked_at(stage: Stage, history: History, tick: int, viewer: int | str) -> list[Seen]:
    stage.enter(history.world, tick)
    seen, log, keys = received(stage, viewer, history.states[tick], "en", LUCK, all_of_it=True)
    browser = stage.browser_of(viewer)
    more = ["/?friends=on", "/panels/?friends=on", "/?friends=on&free=on&language=en"]
    if viewer == "moderator":
        more += [f"/admin/accounts/user/{user.pk}/delete/" for user in stage.cast.players]
    stage.enter(history.world, tick)
    answers = [browser.get(path) for path in more]
    pages = [
        Seen(path, answer.status_code, (), "", answer.content, 0)
        for path, answer in zip(more, answers, strict=True)
    ]
    kept = Seen("log and cache", 0, (), "", "\n".join([*log, *keys]).encode(), 0)
    return [*seen, *pages, kept]


@pytest.mark.parametrize("viewer", by_day(1, ["seat", "moderator", "spectator", "stranger"]))
def test_no_one_learns_who_sits_at_a_blind_table(still, viewer):
    rng = Random(f"blind {viewer}")
    stage, history, tick = blind_stage(rng)
    who = next(n for n, user in enumerate(stage.users) if user) if viewer == "seat" else viewer
    befriend_everybody_seated(stage, stage.browser_of(who).user)
    here_people = stage.users
    there_people = other_people(stage, who, rng)
    assert here_people != there_people

    here = looked_at(stage, history, tick, who)
    seat_people(stage, there_people)
    there = looked_at(stage, history, tick, who)

    assert len(here) == len(there) > 40
    for mine, theirs in zip(here, there, strict=True):
        assert mine == theirs, mine.what + told_apart(mine, theirs)


@pytest.mark.usefixtures("closed_lines")
async def test_no_socket_tells_who_sits_at_a_blind_table(transactional_db):
    rng = Random("blind sockets")

    def set_up() -> tuple[Stage, History, int]:
        stage, history, tick = blind_stage(rng)
        befriend_everybody_seated(stage, stage.cast.spectator)
        return stage, history, tick

    with held_still():
        stage, history, tick = await does(set_up)()
        here_people = stage.users
        frames = []
        for people in (here_people, other_people(stage, "spectator", rng)):
            await does(seat_people)(stage, people)
            await does(stage.enter)(history.world, tick)
            browser = stage.browser_of("spectator")
            for path in (None, "/live/lobby/", "/live/lobby/?friends=on"):
                socket = Socket(browser, path)
                assert await socket.opens()
                await socket.send(have={})
                frames.append(await socket.answer())
                await socket.line.disconnect()

    half = len(frames) // 2
    assert frames[:half] == frames[half:]


@pytest.mark.nightly
def test_the_comparison_sees_a_name_that_gets_out(still):
    """Show that the test can fail: with names shown, the two worlds differ."""
    rng = Random("not blind")
    stage, history, tick = blind_stage(rng)
    there_people = other_people(stage, "spectator", rng)

    def named(people: list[User | None]) -> list[Seen]:
        seat_people(stage, people)
        for seat in stage.table.seats.exclude(user=None):
            Seat.objects.filter(pk=seat.pk).update(name=seat.user.username)
        stage.seats = list(stage.table.seats.values())
        return looked_at(stage, history, tick, "spectator")

    assert named(stage.users) != named(there_people)
