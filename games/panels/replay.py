"""A finished game at one of its moves: the table as a seat, a spectator or all saw it then."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from games.models import Game, Message, Seat, Table
from games.panels.chat import hears_gallery, past_talk_panel
from games.panels.government_history import government_history_panels
from games.panels.pieces import Panel, Piece, locale_for
from games.panels.private import Wait, is_first_night, what_is_known
from games.panels.scene import Scene, SeatCard, scene_of
from games.panels.table import made_public
from games.rules.actions import Vote
from games.rules.components import Policy
from games.rules.view import View
from games.state.chat import read_chat_until
from games.state.game_log import Replaced, interjections_of
from games.state.rooms import Room
from games.state.viewer import ViewerSettings

# The perspective that sees every role and every hand, where otherwise a seat's number stands.
EVERYONE: Final = "all"
Eyes = int | str | None


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
    # The number of the seat whose perspective is shown; None for a spectator's, or EVERYONE.
    eyes: Eyes
    chapters: tuple[Chapter, ...]

    @property
    def step(self) -> int:
        """How many steps lead here: the buttons' steps, of which a vote is one."""
        return sum(0 < stop <= self.move for stop in self.stops)

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return len(self.stops) - 1

    @property
    def before(self) -> int:
        """The stop before this position."""
        return max((stop for stop in self.stops if stop < self.move), default=0)

    @property
    def after(self) -> int:
        """The stop after this position."""
        return min((stop for stop in self.stops if stop > self.move), default=self.moves)


def replay_of(
    room: Room,
    move: int,
    eyes: Eyes,
    language: str,
    *,
    own: int | None = None,
    viewer_settings: ViewerSettings | None = None,
    sees_table: bool = True,
) -> Replay:
    """Return the finished game of `room` after its first `move` moves.

    A move beyond the last gives the last, at which everything is open. `eyes` is the seat whose
    perspective is shown, None for a spectator's, or EVERYONE; `own` is the viewer's own seat. The
    chat is left out without `viewer_settings`, and links to the table without `sees_table`.
    """
    assert room.is_over
    steps = room.public_steps
    move = max(0, min(move, len(steps)))
    locale = locale_for(language, room.table.edition)
    then = room if move == len(steps) else as_it_stood(room, move)
    scene = scene_of(then)
    if not sees_table:
        seats = tuple(replace(card, code="", leads_from="") for card in scene.seats)
        scene = replace(scene, seats=seats)
    if scene.view is not None and is_first_night(scene.view) and not then.is_over:
        scene = _at_night(scene)
    opened = _open_view(then) if eyes == EVERYONE else None
    if opened is not None:
        scene = _with_open_cards(scene, opened)
    seat = scene.room.seats[eyes] if isinstance(eyes, int) else None
    panels = made_public(scene, locale)
    if seat is not None:
        view = scene.room.view(seat.number)
        known = replace(what_is_known(scene, seat, view), is_replayed=True)
        if seat.number != own:
            known = replace(known, is_seen_with=True)
            panels["seats"] = _seen_with(panels["seats"], seat.number, locale)
        panels["you"] = Panel("you", Piece(known, locale))
        if view.hand and not scene.room.is_over:
            holder = None if seat.number == own else seat.number
            panels["action"] = _hand_panel(then, view.hand, holder, locale)
    elif opened is not None:
        known = replace(what_is_known(scene, None, opened), stage=Table.Stage.OVER.value)
        panels["you"] = Panel("you", Piece(known, locale))
        holder, held = _hand_held(then)
        if held and not then.is_over:
            panels["action"] = _hand_panel(then, held, holder, locale)
    if viewer_settings is not None:
        until = None if then.is_over else steps[move].at
        panels["talk"] = _talk_panel(then, until, eyes, viewer_settings, locale)
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


def _hand_panel(room: Room, hand: tuple[Policy, ...], holder: int | None, locale: str) -> Panel:
    """Return the hand of a seat, by its name; None if it is the viewer's own."""
    wait = Wait(room.table.code, True, False, (), hand)
    if holder is not None:
        is_president = holder == room.public_view().president
        wait = replace(wait, holder=room.seats[holder].name, holder_is_president=is_president)
    return Panel("action", Piece(wait, locale))


def _hand_held(room: Room) -> tuple[int | None, tuple[Policy, ...]]:
    """Return who holds cards at this moment, and which; only one player holds cards at a time."""
    hands = ((seat.number, room.view(seat.number).hand) for seat in room.seats)
    return next(((number, hand) for number, hand in hands if hand), (None, ()))


def _talk_panel(
    room: Room, until: datetime | None, eyes: Eyes, viewer_settings: ViewerSettings, locale: str
) -> Panel:
    """Return the newest messages of that moment: those that the given perspective could hear."""
    seat = room.seats[eyes] if isinstance(eyes, int) else None
    places = [Message.Place.TABLE]
    if seat is None or hears_gallery(room, seat, viewer_settings):
        places.append(Message.Place.GALLERY)
    talk = read_chat_until(room.table, until, places, viewer_settings)
    return past_talk_panel(room, talk, locale, masks=viewer_settings.masks)


def _open_view(room: Room) -> View:
    """Return the view of a spectator to whom all cards are shown, as if the game ended here."""
    assert room.game is not None
    game = copy(room.game)
    game.stopped = game.stopped or Game.Stopped.ABANDONED
    return replace(room, game=game).public_view()


def _with_open_cards(scene: Scene, opened: View) -> Scene:
    """Return the scene with every role on its seat, and with the lies among the claims marked."""
    seats = tuple(
        replace(card, role=role) for card, role in zip(scene.seats, opened.roles, strict=True)
    )
    past = government_history_panels(scene.room, scene.names, opened)
    return replace(scene, seats=seats, government_history=past)


def _at_night(scene: Scene) -> Scene:
    """Return the scene before the first move as the first night: no one is asked for anything.

    So the headline says what the card of a player's role says beside it.
    """
    seats = tuple(replace(card, is_waited_for=False) for card in scene.seats)
    return replace(scene, seats=seats, banner=replace(scene.banner, is_night=True, waited_for=()))


def _seen_with(seats: Panel, number: int, locale: str) -> Panel:
    """Mark the seat whose perspective is shown, when it is not the viewer's own."""
    rows = tuple(
        Piece(replace(row.part, is_seen_with=True), locale)
        if isinstance(row.part, SeatCard) and row.part.number == number
        else row
        for row in seats.rows
    )
    return Panel(seats.name, seats.shell, rows)


def as_it_stood(room: Room, move: int) -> Room:
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
