"""Limits on what an action may cost, counted and never timed, with real sockets and forms.

tests/bench counts the same with real processes, and measures time.
"""

import asyncio
import json
from collections.abc import Sequence
from contextlib import ExitStack
from statistics import median

import pytest
from channels.testing import WebsocketCommunicator
from django.http import HttpResponse

from config.serving.in_flight import counted
from games import panels
from games.models import Table
from games.services import tables
from tests.bench.counting import Counts, counting
from tests.bench.frames import (
    PUBLIC,
    Acknowledgement,
    Shown,
    digests_in,
    digests_of_answer,
    have_header,
)
from tests.bench.plan import Move, plan_game
from tests.builders.person import Person
from tests.builders.sockets import Socket, does
from tests.builders.tables import NAMES, fresh, gather, person, state_of
from tests.nightly import by_day

# Other threads read what the test writes, so it must commit.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("closed_lines")]

STATEMENTS = 7
BYTES = 2000
# A little more than a round: nomination, ten ballots, session, and the next nomination.
MOVES = 16


@pytest.fixture(autouse=True)
def _no_sweep(settings):
    """Turn off the sweep: its statement every other second belongs to no action."""
    settings.SOCKET_SWEEP_SECONDS = 3600.0


class Page:
    """One viewer's page: its socket, what it shows, and the sizes of the frames it received."""

    def __init__(self, who: Person) -> None:
        self.who = who
        self.shown = Shown()
        self.frames: list[int] = []
        self._due = Acknowledgement()
        self._line: WebsocketCommunicator = Socket(who).line

    async def open(self) -> "Page":
        is_open, _ = await self._line.connect(timeout=20)
        assert is_open
        await self.compare()
        return self

    async def compare(self) -> bool:
        """Ask for the panels that differ. Return whether there were any."""
        await self._line.send_json_to({"have": self.shown.digests})
        return await self.receive()

    async def receive(self) -> bool:
        """Receive the next message. Return whether it changed anything."""
        text = await self._line.receive_from(timeout=20)
        frame = json.loads(text)
        if "html" not in frame:
            return False
        before = dict(self.shown.digests)
        self.shown.take(digests_in(frame))
        self.frames.append(len(text.encode()))
        ack = self._due.after(frame, len(text))
        if ack is not None:
            await self._line.send_to(text_data=ack)
        return self.shown.digests != before

    async def follow(self, before: tuple[str | None, ...]) -> None:
        """Receive until the public panels differ from `before`."""
        while self.shown.public == before:
            await self.receive()

    async def stays_silent(self) -> bool:
        return await self.stays_silent_for(0.05)

    async def stays_silent_for(self, seconds: float) -> bool:
        return await self._line.receive_nothing(timeout=seconds)

    async def close(self) -> None:
        await self._line.disconnect()


class Watched:
    """A table that plays a planned game while several viewers watch."""

    def __init__(self, pages: list[Page], moves: Sequence[Move]) -> None:
        self.pages = pages
        self.moves = moves
        self._next = 0

    async def post(self) -> tuple[Move, HttpResponse]:
        """Make the next move."""
        move = self.moves[self._next]
        self._next += 1
        actor = self.pages[move.seat]
        answer = await does(actor.who.post)(
            f"{actor.who.url}act/",
            {"decision": move.decision, "key": move.key, "choice": move.choice},
            htmx=True,
            HTTP_X_PANELS=have_header(actor.shown.digests),
        )
        assert answer.status_code == 200
        return move, answer

    async def act(self) -> Move:
        """Make the next move and wait until every viewer has its frame."""
        before = self.pages[0].shown.public
        move, answer = await self.post()
        await asyncio.gather(*(page.follow(before) for page in self.pages))
        told = digests_of_answer(answer.headers.get("X-Panels", ""), answer.content.decode())
        for page in self.pages:
            shown = page.shown.digests
            assert {name: shown[name] for name in PUBLIC} == {
                name: told.get(name, shown[name]) for name in PUBLIC
            }
        return move

    async def costs(self, counts: Counts, moves: int = MOVES) -> list[tuple[str, int, int]]:
        """Return for each move its name, its number of statements and of rendered templates.

        The first move is not counted: after it, the process has the game in its caches.
        """
        await self.act()
        told = []
        for _ in range(moves):
            await asyncio.sleep(0.02)
            counts.clear()
            move = await self.act()
            await asyncio.sleep(0.02)
            told.append((move.action.kind, len(counts.statements), len(counts.renders)))
        return told

    async def close(self) -> None:
        await asyncio.gather(*(page.close() for page in self.pages))


async def watched(spectators: int = 0, seats: int = 10) -> Watched:
    """Return the planned table with its players and this many spectators."""

    # Two identical games share cached renders. Clear them, so that each game is counted in full.
    panels.forget_all()

    def sit_down() -> tuple[list[Person], tuple[Move, ...]]:
        plan = plan_game(0, seats, at_least=120)
        table = gather(NAMES[:seats], seed=plan.seed)
        tables.start_game(table=table, user=table.host)
        people = [person(name) for name in NAMES[:seats]]
        people += [person(f"Guest {number}") for number in range(spectators)]
        table = fresh(table)
        assert state_of(table).decision == plan.moves[0].decision
        return [Person(user, table) for user in people], plan.moves

    people, moves = await does(sit_down)()
    pages = await asyncio.gather(*(Page(who).open() for who in people))
    return Watched(list(pages), moves)


async def costs_with(viewers: int) -> list[tuple[str, int, int]]:
    seats = min(10, viewers)
    table = await watched(spectators=viewers - seats, seats=seats)
    with counting() as counts:
        told = await table.costs(counts)
    await table.close()
    return told


# Statements -------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewers", by_day(1, [10, 5, 60]))
async def test_an_action_takes_seven_statements_whoever_looks_on(transactional_db, viewers):
    for kind, statements, _ in await costs_with(viewers):
        assert statements <= STATEMENTS, kind


@pytest.mark.nightly
async def test_spectators_add_no_statement(transactional_db):
    alone = await watched()
    with counting() as counts:
        few = [(kind, statements) for kind, statements, _ in await alone.costs(counts)]
    await alone.close()

    again = await watched(spectators=50)
    with counting() as counts:
        many = [(kind, statements) for kind, statements, _ in await again.costs(counts)]
    await again.close()

    assert few == many


# Templates --------------------------------------------------------------------------------------


@pytest.mark.nightly
async def test_a_spectator_more_is_not_a_template_more(transactional_db):
    """All spectators of a language see the same panels, which are rendered once."""
    one = await watched(spectators=1)
    with counting() as counts:
        few = [(kind, renders) for kind, _, renders in await one.costs(counts)]
    await one.close()

    again = await watched(spectators=25)
    with counting() as counts:
        many = [(kind, renders) for kind, _, renders in await again.costs(counts)]
    await again.close()

    # The mover's own two panels are rendered once for the answer and the frame together, or twice
    # if the frame was faster.
    for (kind, renders), (_, more_renders) in zip(few, many, strict=True):
        assert abs(renders - more_renders) <= 2, kind


# Bytes ------------------------------------------------------------------------------------------


async def test_the_median_action_brings_each_viewer_two_kilobytes(transactional_db, monkeypatch):
    # Hints are for the first games only.
    monkeypatch.setattr("games.services.coach.FIRST_GAMES", 0)
    table = await watched(spectators=1)
    each = []
    for _ in range(100):
        for page in table.pages:
            page.frames.clear()
        await table.act()
        each.append(sum(sum(page.frames) for page in table.pages) / len(table.pages))
    await table.close()

    assert median(each) <= BYTES


# Lost frames ------------------------------------------------------------------------------------


async def test_in_a_whole_game_no_one_misses_anything(transactional_db):
    """Every move reaches every viewer, in as many frames as moves; nothing is left to send."""
    table = await watched(spectators=3)
    for page in table.pages:
        page.frames.clear()
    for _ in table.moves:
        await table.act()

    assert (await does(fresh)(table.pages[0].who.table)).stage == Table.Stage.OVER
    for page in table.pages:
        assert len(page.frames) == len(table.moves)
        assert not await page.compare()
    await table.close()


# Moves that come together -----------------------------------------------------------------------


async def frames_of_two_ballots(*, while_others_wait: bool) -> int:
    """Return how many frames a viewer gets of two ballots that follow each other at once."""
    table = await watched(seats=5)
    move = await table.act()
    assert move.action.kind == "nominate"
    path = f"{table.pages[0].who.url}act/"
    [viewer, *_] = table.pages
    before = len(viewer.frames)
    with ExitStack() as until_answered:
        if while_others_wait:
            until_answered.enter_context(counted(path))
            until_answered.enter_context(counted(path))
        for _ in range(2):
            await table.post()
    while not await viewer.stays_silent_for(0.3):
        await viewer.receive()
    await table.close()
    return len(viewer.frames) - before


async def test_ballots_that_come_together_are_shown_together() -> None:
    assert await frames_of_two_ballots(while_others_wait=True) == 1


async def test_ballots_that_come_alone_are_shown_at_once() -> None:
    assert await frames_of_two_ballots(while_others_wait=False) == 2
