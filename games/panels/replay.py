"""A finished game at one of its moves: the table as a given seat or a spectator saw it then."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace

from games.models import Seat, Table
from games.panels.pieces import Panel, Piece, locale_for
from games.panels.private import Wait, what_is_known
from games.panels.scene import SeatCard, scene_of
from games.panels.table import made_public
from games.rules.actions import Vote
from games.state.game_log import Replaced, interjections_of
from games.state.rooms import Room


@dataclass(frozen=True, slots=True)
class Chapter:
    """A round, and the move with which it begins."""

    round: int
    move: int
    is_shown: bool


@dataclass(frozen=True, slots=True)
class Replay:
    """The contents of the replay page."""

    panels: dict[str, Panel]
    # How many moves have been made, and how many there are.
    move: int
    moves: int
    # The positions to step through: all but those within a vote, which is one step.
    stops: tuple[int, ...]
    # The number of the seat whose perspective is shown; None for a spectator's.
    eyes: int | None
    chapters: tuple[Chapter, ...]

    @property
    def before(self) -> int:
        """The stop before this position."""
        return max((stop for stop in self.stops if stop < self.move), default=0)

    @property
    def after(self) -> int:
        """The stop after this position."""
        return min((stop for stop in self.stops if stop > self.move), default=self.moves)

    @property
    def step(self) -> int:
        """The number of this position among the stops, from 0."""
        return sum(stop <= self.move for stop in self.stops) - 1

    @property
    def steps(self) -> int:
        """The number of the last stop."""
        return len(self.stops) - 1


def replay_of(
    room: Room, move: int, eyes: int | None, language: str, *, own: int | None = None
) -> Replay:
    """Return the finished game of `room` after its first `move` moves.

    A move beyond the last gives the last, at which everything is open. `eyes` is the seat whose
    perspective is shown, or None for a spectator's; `own` is the viewer's own seat.
    """
    assert room.is_over
    steps = room.public_steps
    move = max(0, min(move, len(steps)))
    locale = locale_for(language, room.table.edition)
    scene = scene_of(room if move == len(steps) else _as_it_stood(room, move))
    seat = None if eyes is None else scene.room.seats[eyes]
    panels = made_public(scene, locale)
    if seat is not None:
        view = scene.room.view(seat.number)
        known = what_is_known(scene, seat, view)
        if seat.number != own:
            known = replace(known, is_seen_with=True)
            panels["seats"] = _seen_with(panels["seats"], seat.number, locale)
        panels["you"] = Panel("you", Piece(known, locale))
        if view.hand and not scene.room.is_over:
            hand = Wait(room.table.code, True, False, (), view.hand)
            panels["action"] = Panel("action", Piece(hand, locale))
    # Between two rounds the table is ready for the next one.
    shown = scene.view.round if scene.view is not None else 1
    stops = [0, *(step.number + 1 for step in steps if step.events or step.kind != Vote.kind)]
    if stops[-1] != len(steps):
        # The game was stopped within a vote.
        stops.append(len(steps))
    firsts: dict[int, int] = {}
    for step in steps:
        firsts.setdefault(step.round, step.number)
    chapters = tuple(Chapter(number, first, number == shown) for number, first in firsts.items())
    return Replay(panels, move, len(steps), tuple(stops), eyes, chapters)


def _seen_with(seats: Panel, number: int, locale: str) -> Panel:
    """Mark the seat whose perspective is shown, when it is not the viewer's own."""
    rows = tuple(
        Piece(replace(row.part, is_seen_with=True), locale)
        if isinstance(row.part, SeatCard) and row.part.number == number
        else row
        for row in seats.rows
    )
    return Panel(seats.name, seats.shell, rows)


def _as_it_stood(room: Room, move: int) -> Room:
    """Return the room after `move` moves, with the names that the seats had then."""
    assert room.game is not None
    table, game = copy(room.table), copy(room.game)
    table.stage = Table.Stage.RUNNING
    game.length, game.deadline, game.stopped, game.winner, game.ending = move, None, "", "", ""
    game.night_until = None
    until = room.public_steps[move].at
    return replace(
        room.at_move(move),
        table=table,
        game=game,
        seats=_seats_then(room, move),
        interruptions=tuple(away for away in room.interruptions if away.number <= move),
        administration=replace(
            room.administration,
            motions=tuple(m for m in room.administration.motions if (m.number or 0) <= move),
            substitutes=(),
            rulings=tuple(
                ruling
                for ruling in room.administration.rulings
                if ruling.number is not None and ruling.number <= move and ruling.at <= until
            ),
        ),
        talk=tuple(said for said in room.talk if said.at <= until),
    )


def _seats_then(room: Room, move: int) -> tuple[Seat, ...]:
    seats: list[Seat] = [copy(seat) for seat in room.seats]
    for seat in seats:
        seat.is_away, seat.is_connected, seat.vacation_until = False, True, None
    for later in reversed(_after(room, move)):
        seats[later.seat].name = later.gone
    return tuple(seats)


def _after(room: Room, move: int) -> Sequence[Replaced]:
    return [
        told.aside
        for told in interjections_of(room)
        if told.number > move and isinstance(told.aside, Replaced)
    ]
