"""All that everybody may see at a table, from the spectator's view: what public panels show."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from games import wording
from games.models import GameAction, Seat, Table
from games.positions import Position
from games.rules.actions import ProposeVeto, Vote
from games.rules.components import (
    FAILED_ELECTIONS_TO_CHAOS,
    FASCIST_POLICIES_TO_WIN,
    FASCIST_POLICIES_UNLOCK_VETO,
    LIBERAL_POLICIES_TO_WIN,
    Power,
    Role,
)
from games.rules.editions import differences
from games.rules.events import Candidate, as_told
from games.rules.state import Phase
from games.rules.view import View, view_for


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


def scene_of(table: Table, position: Position | None) -> Scene:
    """The scene of a table, whether it gathers, plays or is over. Speaks the active language."""
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
