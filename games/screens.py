"""Views become panels of HTML here, and nowhere else.

A table's page is six panels. The public ones (banner, seats, tracks, log) are rendered
from the spectator's view, once per version and language, and shared by every viewer: no
secret can be in them, since what they are made from has none. The private ones (you,
action) are rendered for one viewer and never kept.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from threading import Lock
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import mark_safe

from games import wording
from games.models import GameAction, Seat, Table
from games.positions import Position, position_of
from games.rules.actions import Action, ProposeVeto, Vote
from games.rules.components import (
    FAILED_ELECTIONS_TO_CHAOS,
    FASCIST_POLICIES_TO_WIN,
    FASCIST_POLICIES_UNLOCK_VETO,
    LIBERAL_POLICIES_TO_WIN,
    Policy,
    Power,
    Role,
)
from games.rules.editions import differences
from games.rules.events import Candidate, as_told
from games.rules.record import action_json
from games.rules.state import Phase
from games.rules.view import View, view_for

PUBLIC_PANELS: Final = ("banner", "seats", "tracks", "log")
PRIVATE_PANELS: Final = ("you", "action")
LOBBY_ROWS: Final = 50
_SCREENS_REMEMBERED: Final = 400

# A page puts the CSRF field where a panel leaves this mark. Frames keep the mark, htmx sends
# the token in a header, and a panel is the same bytes wherever it is rendered.
CSRF_MARK: Final = mark_safe("<!--csrf-->")

Person = AbstractBaseUser | AnonymousUser


@dataclass(frozen=True, slots=True)
class SeatCard:
    """One place at the table, as everybody sees it."""

    number: int
    name: str
    is_free: bool = False
    is_bot: bool = False
    is_host: bool = False
    is_away: bool = False
    is_alive: bool = True
    # candidate, nominee, president, chancellor, or "".
    office: str = ""
    is_limited: bool = False
    is_waited_for: bool = False
    has_voted: bool = False
    # ja or nein once the vote is settled.
    ballot: str = ""
    is_investigated: bool = False
    is_cleared: bool = False
    # What this seat added to the seal: public.
    contribution: str = ""
    # The end reveals it; until then None.
    role: Role | None = None


@dataclass(frozen=True, slots=True)
class TrackSpace:
    """One space of a policy track."""

    number: int
    is_filled: bool
    power: Power | None = None
    unlocks_veto: bool = False
    wins: bool = False


@dataclass(frozen=True, slots=True)
class LogLine:
    # The event's kind, for its mark.
    kind: str
    # A sentence, safe HTML, names in <bdi>.
    html: str
    at: datetime


@dataclass(frozen=True, slots=True)
class LogRound:
    number: int
    lines: tuple[LogLine, ...]


@dataclass(frozen=True, slots=True)
class HouseRule:
    name: str
    value: object


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a public panel may show."""

    table: Table
    stage: str
    seats: tuple[SeatCard, ...]
    view: View | None
    liberal_track: tuple[TrackSpace, ...]
    fascist_track: tuple[TrackSpace, ...]
    # Steps 0-3 of the election tracker, and where it stands.
    tracker_steps: tuple[int, ...]
    tracker: int
    rounds: tuple[LogRound, ...]
    deadline: datetime | None
    house_rules: tuple[HouseRule, ...]
    next_table: Table | None

    @property
    def seated(self) -> tuple[SeatCard, ...]:
        return tuple(seat for seat in self.seats if not seat.is_free)

    @property
    def free_seats(self) -> int:
        return len(self.seats) - len(self.seated)

    @property
    def waited_for(self) -> tuple[SeatCard, ...]:
        return tuple(seat for seat in self.seats if seat.is_waited_for)

    @property
    def can_start(self) -> bool:
        return len(self.seated) >= self.table.options.players[0]


@dataclass(frozen=True, slots=True)
class Choice:
    """A button: what it posts, and what it shows."""

    # As forms.ActForm reads it: "nominate:3", "vote:ja", "answer_veto:true", "peek".
    value: str
    action: Action
    seat: SeatCard | None = None
    policy: Policy | None = None


@dataclass(frozen=True, slots=True)
class Mine:
    """What one viewer has for themselves."""

    scene: Scene
    # None for spectators.
    seat: SeatCard | None
    view: View | None
    is_signed_in: bool
    is_host: bool
    # Other seats whose role the night showed.
    known: tuple[tuple[SeatCard, Role], ...] = ()
    # Sentences, safe HTML, newest first: what you drew, were handed, learnt.
    learnt: tuple[str, ...] = ()
    night: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    decision: str = ""
    key: str = ""
    # The address to give to friends; for those who sit at a table that gathers.
    invite_url: str = ""

    @property
    def csrf_input(self) -> str:
        return CSRF_MARK


@dataclass(frozen=True, slots=True)
class Panel:
    name: str
    html: str
    digest: str
    # The catalog that it speaks; its frame is labelled in the same.
    voice: str


def voice(language: str, edition: str) -> str:
    """The catalog in which `language` speaks at a table of `edition`."""
    return settings.VOICES.get((language, edition), language)


def table_panels(
    table: Table, person: Person, language: str, *, invite_url: str = ""
) -> dict[str, Panel]:
    """Every panel of the table's page as `person` may see it, in `language`.

    `invite_url` is shown to those who sit at a private table that still gathers.
    """
    with translation.override(voice(language, table.edition)):
        position = _position(table)
        public, scene = _public_panels(table, position)
        mine = _mine(scene, position, person, invite_url)
        private = {name: _render(name, {"scene": scene, "mine": mine}) for name in PRIVATE_PANELS}
        return public | private


def changed(panels: Mapping[str, Panel], have: Mapping[str, str]) -> dict[str, Panel]:
    """The panels whose digest is not the one that the client has."""
    return {name: panel for name, panel in panels.items() if have.get(name) != panel.digest}


def with_csrf(html: str, field: str) -> str:
    """A panel for a page: its forms carry the CSRF `field` and work without JavaScript."""
    return mark_safe(html.replace(CSRF_MARK, field))  # noqa: S308  rendered by templates


def as_fragment(panels: Iterable[Panel]) -> str:
    """Panels as one piece of HTML that htmx swaps in by their ids, out of band."""
    parts = []
    for panel in panels:
        with translation.override(panel.voice):
            parts.append(render_to_string("games/_swap.html", {"panel": panel}))
    return "".join(parts)


# The lobby ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LobbyRow:
    """A table as the lobby lists it."""

    table: Table
    people: tuple[str, ...]
    bots: int
    my_turn: bool = False

    @property
    def url(self) -> str:
        return self.table.get_absolute_url()

    @property
    def edition(self) -> str:
        return self.table.edition

    @property
    def is_custom(self) -> bool:
        return self.table.is_custom

    @property
    def seated(self) -> int:
        return len(self.people) + self.bots

    @property
    def wanted(self) -> int:
        return self.table.seats_wanted

    @property
    def can_join(self) -> bool:
        return self.table.stage == Table.Stage.OPEN and self.seated < self.wanted


def lobby_panels(person: Person, language: str) -> dict[str, Panel]:
    """The lobby as `person` may see it: public tables for all, and their own."""
    with translation.override(language):
        public = Table.objects.filter(is_private=False).prefetch_related("seats")
        stages = {
            "open_tables": public.filter(stage=Table.Stage.OPEN).order_by("-created_at"),
            "running_tables": public.filter(stage=Table.Stage.RUNNING).order_by("-created_at"),
        }
        rows = {
            name: [_lobby_row(table) for table in tables[:LOBBY_ROWS]]
            for name, tables in stages.items()
        }
        return {
            "tables": _render("lobby_tables", rows, name="tables"),
            "mine": _render("lobby_mine", {"rows": _own_rows(person)}, name="mine"),
        }


def _own_rows(person: Person) -> list[LobbyRow]:
    if not person.is_authenticated:
        return []
    own = (
        Table.objects.filter(seats__user=person, stage__in=(Table.Stage.OPEN, Table.Stage.RUNNING))
        .select_related("game")
        .prefetch_related("seats")
        .order_by("-created_at")
    )
    return [_lobby_row(table, person) for table in own[:LOBBY_ROWS]]


def _lobby_row(table: Table, person: Person | None = None) -> LobbyRow:
    seats = list(table.seats.all())
    my_turn = False
    if person is not None and table.stage == Table.Stage.RUNNING:
        my_turn = seat_of(table, person) in position_of(table.game).state.to_act
    return LobbyRow(
        table=table,
        people=tuple(seat.name for seat in seats if not seat.is_bot),
        bots=sum(1 for seat in seats if seat.is_bot),
        my_turn=my_turn,
    )


# The public panels, once per version and language ------------------------------------------------

_lock = Lock()
_remembered: OrderedDict[tuple[object, ...], tuple[dict[str, Panel], Scene]] = OrderedDict()


def forget_all() -> None:
    """Empties the memory; tests that reuse primary keys need it."""
    with _lock:
        _remembered.clear()


def _public_panels(table: Table, position: Position | None) -> tuple[dict[str, Panel], Scene]:
    # Everything that a public panel shows changes with the table's version.
    key = (table.pk, table.created_at, table.version, translation.get_language())
    # One at a time: whoever waits for the same panels finds them made.
    with _lock:
        known = _remembered.get(key)
        if known is not None:
            _remembered.move_to_end(key)
            return known
        scene = _scene(table, position)
        panels = {name: _render(name, {"scene": scene}) for name in PUBLIC_PANELS}
        _remembered[key] = (panels, scene)
        while len(_remembered) > _SCREENS_REMEMBERED:
            _remembered.popitem(last=False)
    return panels, scene


def _render(template: str, context: Mapping[str, Any], *, name: str = "") -> Panel:
    html = render_to_string(f"games/_{template}.html", dict(context))
    digest = blake2b(html.encode(), digest_size=8).hexdigest()
    return Panel(name or template, html, digest, translation.get_language() or "")


def _position(table: Table) -> Position | None:
    if table.stage in (Table.Stage.OPEN, Table.Stage.CLOSED) and not hasattr(table, "game"):
        return None
    return position_of(table.game)


def _scene(table: Table, position: Position | None) -> Scene:
    seats = list(table.seats.all())
    view = None if position is None else view_for(position.state, None)
    cards = _gathering(table, seats) if view is None else _seated(table, seats, view)
    names = [seat.name for seat in seats]
    liberal, fascist, tracker = (view.liberal, view.fascist, view.tracker) if view else (0, 0, 0)
    powers = view.powers if view else (None,) * FASCIST_POLICIES_TO_WIN
    return Scene(
        table=table,
        stage=table.stage,
        seats=cards,
        view=view,
        liberal_track=tuple(
            TrackSpace(i, i <= liberal, wins=i == LIBERAL_POLICIES_TO_WIN)
            for i in range(1, LIBERAL_POLICIES_TO_WIN + 1)
        ),
        fascist_track=tuple(
            TrackSpace(
                i,
                i <= fascist,
                power=powers[i - 1],
                unlocks_veto=i == FASCIST_POLICIES_UNLOCK_VETO,
                wins=i == FASCIST_POLICIES_TO_WIN,
            )
            for i in range(1, FASCIST_POLICIES_TO_WIN + 1)
        ),
        tracker_steps=tuple(range(FAILED_ELECTIONS_TO_CHAOS + 1)),
        tracker=tracker,
        rounds=() if position is None else _log(table, position, names),
        deadline=table.game.deadline if position is not None else None,
        house_rules=tuple(
            HouseRule(name, value)
            for name, value in differences(table.edition, table.options).items()
        ),
        next_table=table.next_table,
    )


def _gathering(table: Table, seats: Sequence[Seat]) -> tuple[SeatCard, ...]:
    taken = {seat.number: seat for seat in seats}
    return tuple(
        SeatCard(
            number=number,
            name=seat.name,
            is_bot=seat.is_bot,
            is_host=_is_host(table, seat),
            contribution=seat.contribution,
        )
        if (seat := taken.get(number)) is not None
        else SeatCard(number=number, name="", is_free=True)
        for number in range(table.seats_wanted)
    )


def _seated(table: Table, seats: Sequence[Seat], view: View) -> tuple[SeatCard, ...]:
    voting = view.phase is Phase.ELECTION
    offices = {
        view.candidate: "candidate",
        view.nominee: "nominee",
        view.president: "president",
        view.chancellor: "chancellor",
    }
    offices.pop(None, None)
    return tuple(
        SeatCard(
            number=seat.number,
            name=seat.name,
            is_bot=seat.is_bot,
            is_host=_is_host(table, seat),
            contribution=seat.contribution,
            is_away=seat.is_away,
            is_alive=seat.number in view.alive,
            office=offices.get(seat.number, ""),
            is_limited=seat.number in view.limited,
            is_waited_for=seat.number in view.to_act,
            has_voted=voting and seat.number in view.alive and seat.number not in view.to_act,
            ballot=str(view.ballots[seat.number] or "") if view.ballots else "",
            is_investigated=seat.number in view.investigated,
            is_cleared=seat.number in view.cleared,
            role=view.roles[seat.number],
        )
        for seat in seats
    )


def _is_host(table: Table, seat: Seat) -> bool:
    return seat.user_id is not None and seat.user_id == table.host_id


def _log(table: Table, position: Position, names: Sequence[str]) -> tuple[LogRound, ...]:
    """The public log, the newest round first."""
    rounds: list[tuple[int, list[LogLine]]] = [(1, [])]
    stood_in: list[int] = []
    for step in position.steps:
        lines = rounds[-1][1]
        seat = step.action.seat
        if step.by == GameAction.By.CLOCK:
            stood_in.append(seat)
        elif seat in stood_in:
            # Back in time to change the ballot.
            stood_in.remove(seat)
        # Ballots are secret until the last is in, and so they are told of together.
        if stood_in and (step.events or not isinstance(step.action, Vote)):
            told = wording.stood_in(stood_in, names, html=True)
            lines.append(LogLine("stood_in", told, step.at))
            stood_in = []
        if isinstance(step.action, ProposeVeto):
            # Said aloud, though it changes nothing by itself.
            told = wording.tell_action(step.action, names, table.options, html=True)
            lines.append(LogLine(step.action.kind, told, step.at))
        events = [as_told(event) for event in step.events]
        sentences = wording.tell_all(events, seat, names, table.options, html=True)
        for event, told in zip(events, sentences, strict=True):
            # A new candidate opens the next round; everything before belongs to the last one.
            if isinstance(event, Candidate):
                rounds.append((rounds[-1][0] + 1, []))
            rounds[-1][1].append(LogLine(event.kind, told, step.at))
    return tuple(LogRound(number, tuple(lines)) for number, lines in reversed(rounds))


# The private panels ------------------------------------------------------------------------------


def _mine(scene: Scene, position: Position | None, person: Person, invite_url: str) -> Mine:
    table = scene.table
    number = seat_of(table, person)
    card = None if number is None else scene.seats[number]
    mine = Mine(
        scene=scene,
        seat=card,
        view=None,
        is_signed_in=person.is_authenticated,
        is_host=person.is_authenticated and person.pk == table.host_id,
        invite_url=invite_url if number is not None and scene.stage == Table.Stage.OPEN else "",
    )
    if position is None:
        return mine
    view = view_for(position.state, number)
    names = [seat.name for seat in scene.seats]
    return replace(
        mine,
        view=view,
        known=tuple(
            (scene.seats[seat], role)
            for seat, role in enumerate(view.roles)
            if role is not None and seat != number and number is not None
        ),
        learnt=tuple(wording.learnt(item, names, html=True) for item in reversed(view.knowledge)),
        night=wording.night(table.options, view.players),
        choices=tuple(_choice(action, scene) for action in view.legal),
        decision=view.decision,
        key=_key(position, number),
    )


def seat_of(table: Table, person: Person) -> int | None:
    """The seat of `person` at `table`; None for everybody else."""
    if not person.is_authenticated:
        return None
    return next((seat.number for seat in table.seats.all() if seat.user_id == person.pk), None)


def _choice(action: Action, scene: Scene) -> Choice:
    """The button for a legal action."""
    parts = [str(value).lower() for name, value in action_json(action).items() if name != "seat"]
    target = getattr(action, "target", None)
    return Choice(
        value=":".join(parts),
        action=action,
        seat=None if target is None else scene.seats[target],
        policy=getattr(action, "policy", None),
    )


def _key(position: Position, number: int | None) -> str:
    """Tells this seat's forms of one decision apart, so that a form sent twice acts once."""
    own = sum(1 for step in position.steps if step.action.seat == number)
    return f"{position.state.decision}.{own}"
