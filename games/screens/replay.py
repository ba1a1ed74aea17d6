"""A finished game at one of its moves: the table as a given seat or a spectator saw it then."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace

from games.minutes import Replaced, interjections_of
from games.models import Seat, Table
from games.positions import at_move
from games.rooms import Room
from games.rules.view import view_for
from games.screens.mine import Wait, what_is_known
from games.screens.pieces import Panel, Piece, voice
from games.screens.scene import SeatCard, scene_of
from games.screens.table import made_public


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
    move: int
    moves: int
    # The number of the seat whose perspective is shown; None for a spectator's.
    eyes: int | None
    chapters: tuple[Chapter, ...]

    @property
    def before(self) -> int:
        return self.move - 1

    @property
    def after(self) -> int:
        return self.move + 1


def replay_of(
    room: Room, move: int, eyes: int | None, language: str, *, own: int | None = None
) -> Replay:
    """Return the finished game of `room` after its first `move` moves.

    A move beyond the last gives the last, at which everything is open. `eyes` is the seat whose
    perspective is shown, or None for a spectator's; `own` is the viewer's own seat.
    """
    assert room.position is not None and room.is_over
    steps = room.position.steps
    move = max(0, min(move, len(steps)))
    tongue = voice(language, room.table.edition)
    scene = scene_of(room if move == len(steps) else _as_it_stood(room, move))
    seat = None if eyes is None else scene.room.seats[eyes]
    panels = made_public(scene, tongue)
    if seat is not None:
        assert scene.room.position is not None
        stopped = scene.room.game is not None and bool(scene.room.game.stopped)
        view = view_for(scene.room.position.state, seat.number, is_stopped=stopped)
        known = what_is_known(scene, seat, view)
        if seat.number != own:
            known = replace(known, is_seen_with=True)
            panels["seats"] = _seen_with(panels["seats"], seat.number, tongue)
        panels["you"] = Panel("you", Piece(known, tongue))
        if view.hand and not scene.room.is_over:
            hand = Wait(room.table.code, True, False, (), view.hand)
            panels["action"] = Panel("action", Piece(hand, tongue))
    shown = steps[move - 1].round if move else 1
    firsts: dict[int, int] = {}
    for step in steps:
        firsts.setdefault(step.round, step.number)
    chapters = tuple(Chapter(number, first, number == shown) for number, first in firsts.items())
    return Replay(panels, move, len(steps), eyes, chapters)


def _seen_with(seats: Panel, number: int, tongue: str) -> Panel:
    """Mark the seat whose perspective is shown, when it is not the viewer's own."""
    rows = tuple(
        Piece(replace(row.part, is_seen_with=True), tongue)
        if isinstance(row.part, SeatCard) and row.part.number == number
        else row
        for row in seats.rows
    )
    return Panel(seats.name, seats.shell, rows)


def _as_it_stood(room: Room, move: int) -> Room:
    """Return the room after `move` moves, with the names that the seats had then."""
    assert room.game is not None and room.position is not None
    position = at_move(room.position, room.table.options, room.game.players, move)
    table, game = copy(room.table), copy(room.game)
    table.stage = Table.Stage.RUNNING
    game.length, game.deadline, game.stopped, game.winner, game.ending = move, None, "", "", ""
    until = room.position.steps[move].at
    return replace(
        room,
        table=table,
        game=game,
        position=position,
        seats=_seats_then(room, move),
        interruptions=tuple(away for away in room.interruptions if away.number <= move),
        affairs=replace(
            room.affairs,
            motions=tuple(m for m in room.affairs.motions if (m.number or 0) <= move),
            substitutes=(),
            rulings=tuple(
                ruling
                for ruling in room.affairs.rulings
                if ruling.number is not None and ruling.number <= move and ruling.at <= until
            ),
        ),
        talk=tuple(said for said in room.talk if said.at <= until),
    )


def _seats_then(room: Room, move: int) -> tuple[Seat, ...]:
    seats: list[Seat] = [copy(seat) for seat in room.seats]
    for seat in seats:
        seat.is_away, seat.is_connected = False, True
    for later in reversed(_after(room, move)):
        seats[later.seat].name = later.gone
    return tuple(seats)


def _after(room: Room, move: int) -> Sequence[Replaced]:
    return [
        told.aside
        for told in interjections_of(room)
        if told.number > move and isinstance(told.aside, Replaced)
    ]
