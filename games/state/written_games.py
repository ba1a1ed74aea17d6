"""A record of a game that was not played here, as a room: so the replay can show it.

The room's rows are made up and never saved. Its keys are negative, so no cache mixes it with a
table of this site.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from games.models import Game, GameAction, Message, Seat, Table
from games.rules.chance import Deal
from games.rules.claims import claim_json, sight_of
from games.rules.editions import Options, differences
from games.rules.events import Enacted, Veto
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received, TopSeen
from games.rules.powers import PowerUsed
from games.rules.record import Record, RecordedChance, replay
from games.state.chat import ChatMessage
from games.state.positions import NOTHING_UNKNOWN, Position, Step, UnknownCards, made_public
from games.state.rooms import Room

_LONGEST_NAME: Final = 30
_YEARS: Final = (2000, 2200)
_EARLIEST: Final = datetime(_YEARS[0], 1, 1, tzinfo=UTC)
_TICK: Final = timedelta(microseconds=1)


@dataclass(slots=True)
class _WrittenChance(RecordedChance):
    """The deal and the shuffles that a record lists."""

    dealt: Deal | None = None

    def deal(self, options: Options, players: int) -> Deal:
        assert self.dealt is not None
        return self.dealt


def room_of_record(
    record: Record,
    claims: Sequence[Knowledge] = (),
    *,
    pk: int,
    code: str,
    created_at: datetime,
    stopped: str = "",
    unknown: UnknownCards = NOTHING_UNKNOWN,
) -> Room:
    """Return the finished game of a record as a room. Raises RecordError or IllegalRecord.

    `stopped` is what the record says of a game that the rules did not end. What seats saw of
    `unknown` cards is left out.
    """
    chance = _WrittenChance(record.shuffles, dealt=record.deal)
    positions = iter(replay(record))
    state = next(positions).state
    steps: list[Step] = []
    at = created_at if record.entries and record.entries[0].at is None else _EARLIEST
    for position in positions:
        entry = position.entry
        assert entry is not None
        # No two steps at one time: a replay shows what was said until the next step.
        at = max(_moment(entry.at) or at, at + _TICK)
        steps.append(
            Step(
                len(steps),
                state.round,
                entry.action,
                entry.by or GameAction.By.PLAYER.value,
                at,
                position.events,
            )
        )
        state = position.state
    public = tuple(made_public(step) for step in steps)
    outcome = state.outcome
    table = Table(
        pk=-pk,
        code=code,
        stage=Table.Stage.OVER,
        edition=record.edition,
        seats_wanted=len(record.seats),
        created_at=created_at,
        seed=bytes(32),
        next_seed=bytes(32),
    )
    table.options = record.options
    table.house_rules = differences(record.edition, record.options)
    is_unfinished = outcome is None
    game = Game(
        pk=-pk,
        table=table,
        players=len(record.seats),
        length=len(steps),
        started_at=steps[0].at if steps else created_at,
        ended_at=at,
        winner="" if outcome is None else str(outcome.winner),
        ending="" if outcome is None else str(outcome.ending),
        stopped=(stopped or Game.Stopped.ABANDONED) if is_unfinished else "",
    )
    seats = tuple(
        Seat(table=table, number=number, name=name, contribution="00" * 32)
        for number, name in enumerate(shown_names(record))
    )
    talk = tuple(_said(number, claim, steps) for number, claim in enumerate(claims, start=1))
    position_now = Position(chance, state, tuple(steps), public, unknown).without_unknown_cards()
    return Room(table, seats, game, position_now, talk=talk)


def unknown_cards(data: object) -> UnknownCards:
    """Return which cards a record's JSON makes up: see `games.rules.record`.

    Other programs may write anything there, so what cannot be read is ignored.
    """
    if not isinstance(data, dict):
        return NOTHING_UNKNOWN
    root = data if "format" in data else data.get("record", data)

    def rounds(key: str) -> frozenset[int]:
        found = root.get(key)
        if not isinstance(found, list):
            return frozenset()
        return frozenset(number for number in found if type(number) is int)

    return UnknownCards(
        rounds("unknown_hands"), rounds("unknown_peeks"), root.get("rebuilt_pile") is True
    )


def _said(number: int, claim: Knowledge, steps: Sequence[Step]) -> ChatMessage:
    """Return a claim as a message just after what it is about; records do not say when it came."""
    options = sight_of(claim).claims
    if isinstance(claim, Drawn | Received):
        # The site writes the cards of a hand in one order.
        told = next(
            one
            for one in options
            if isinstance(one, Drawn | Received)
            and sorted(one.policies) == sorted(claim.policies)
            and getattr(one, "discarded", None) == getattr(claim, "discarded", None)
        )
        claim = told
    last = _shown_by(claim, [step for step in steps if step.round == claim.round])
    return ChatMessage(
        number=number,
        nth=number,
        revised=number,
        place=Message.Place.TABLE.value,
        kind=Message.Kind.CLAIM.value,
        seat=claim.seat,
        user_pk=None,
        guest=None,
        name="",
        text="",
        data=claim_json(claim),
        length=last.number + 1,
        round=claim.round,
        at=last.at,
        key="",
        is_removed=False,
    )


def _shown_by(claim: Knowledge, steps: Sequence[Step]) -> Step:
    """Return the step of a claim's round after which it can be made, or the round's last one."""
    for step in steps:
        for event in step.events:
            # After a refused veto the cards are still in a hand.
            ends_session = isinstance(event, Enacted) or (isinstance(event, Veto) and event.consent)
            if ends_session and isinstance(claim, Drawn | Received):
                return step
            if isinstance(event, PowerUsed) and isinstance(claim, PartySeen | TopSeen):
                return step
    return steps[-1]


def shown_names(record: Record) -> list[str]:
    """Return the names of the seats as a page can show them: one short line each."""
    found = []
    for number, name in enumerate(record.seats, start=1):
        kept = "".join(letter if letter.isprintable() else " " for letter in name)
        kept = " ".join(kept.split())[:_LONGEST_NAME].strip()
        found.append(kept or str(number))
    return found


def began_at(record: Record) -> datetime | None:
    """Return the time of the first action that has one, or None."""
    return next((at for entry in record.entries if (at := _moment(entry.at))), None)


def _moment(at: str | None) -> datetime | None:
    """Return the time of an action, or None if it cannot be one of a real game.

    Times near the ends of the calendar could not be shown in every time zone.
    """
    if at is None:
        return None
    moment = datetime.fromisoformat(at)
    return moment if _YEARS[0] <= moment.year <= _YEARS[1] else None
