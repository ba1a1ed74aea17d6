"""The game record of RECORD.md: reading, checking, writing, replaying and verifying it.

Outside this module a record is plain JSON values; inside it is a `Record`. Every error gives the
path in the file, a code and values instead of a sentence.

A server may write two more keys of the root, which say what is not by the rules; readers may
ignore both, and `read_record` does. `stopped` is why the server ended the game, or will not
have it counted: `abandoned` (by a vote, since too many had left), `given_up` (by its only
person, or because no person moved any more) or `voided` (by a moderator). It has no winner then;
`outcome` is null unless the rules had ended the game before it was voided. `replacements` lists
the seats that another person or a bot has taken over, in order: each an object of `seat`, `after`
(the number of actions before it), `from` and `to` (the seat's name before and after). `seats` has
the names at the end.

The record of a game that was not played here may say what it had to make up. `unknown_hands` and
`unknown_peeks` list the rounds whose hands and peeks it made up to fit; no seat has seen these.
`rebuilt_pile` is true if it made up the order of the piles.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final, TypeGuard, cast

from .actions import ACTIONS, Action
from .chance import Deal, SealedChance
from .components import Ballot, Party, Policy, Role
from .editions import (
    EDITIONS,
    VETO,
    VETO_FORMULAS,
    Formula,
    OptionError,
    Options,
    differences,
    options_of,
    veto_formulas,
)
from .events import Event
from .legality import IllegalAction, legal_actions
from .phases import Ending, Outcome
from .reading import (
    RecordError,
    read_boolean,
    read_choice,
    read_list,
    read_object,
    read_seat,
    read_string,
    required,
    shortened,
)
from .reasons import Reason
from .seals import Seal, read_seal, seal_json, verify_seal
from .state import GameState
from .transition import apply, opening

FORMAT: Final = "secret-hitler-record"
VERSION: Final = 1

_ENDINGS: Final = {
    Ending.LIBERAL_POLICIES: Party.LIBERAL,
    Ending.HITLER_EXECUTED: Party.LIBERAL,
    Ending.FASCIST_POLICIES: Party.FASCIST,
    Ending.HITLER_ELECTED: Party.FASCIST,
}
# Needed for every action of every record, so computed once.
_FIELDS: Final = {kind: tuple(f.name for f in fields(kind)) for kind in ACTIONS.values()}
_KINDS: Final = tuple(ACTIONS)
_BALLOTS: Final = tuple(Ballot)
_POLICIES: Final = tuple(Policy)
# The format has one value for the veto's formulas, and a key of its own for who speaks them.
_FORMULAS: Final = (VETO, *(str(item) for item in Formula if item not in VETO_FORMULAS))
_VETO_SPEAKERS: Final = {
    "chancellor": Formula.VETO_CHANCELLOR,
    "president": Formula.VETO_PRESIDENT,
}


class IllegalRecord(Exception):
    """The first illegal action of a record: its number from 1, the rule, and the legal actions."""

    def __init__(
        self, number: int, action: Action, reason: Reason, legal: tuple[Action, ...]
    ) -> None:
        super().__init__(f"action {number}: {reason}")
        self.number = number
        self.action = action
        self.reason = reason
        self.legal = legal


@dataclass(frozen=True, slots=True)
class Entry:
    """One action of a record; `at` and `by` give its time and its source, where known."""

    action: Action
    at: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Record:
    edition: str
    options: Options
    seats: tuple[str, ...]
    deal: Deal
    shuffles: tuple[tuple[Policy, ...], ...] = ()
    entries: tuple[Entry, ...] = ()
    outcome: Outcome | None = None
    seal: Seal | None = None


@dataclass(frozen=True, slots=True)
class ReplayedPosition:
    """A step of a replay: the state after `after` actions, and the events of the last action."""

    after: int
    state: GameState
    entry: Entry | None = None
    events: tuple[Event, ...] = ()


@dataclass(slots=True)
class RecordedChance:
    """The shuffles listed in a record. Raises RecordError for a missing or impossible one."""

    shuffles: Sequence[tuple[Policy, ...]]
    used: int = field(default=0)

    def reshuffle(self, number: int, cards: Sequence[Policy]) -> tuple[Policy, ...]:
        if number > len(self.shuffles):
            raise RecordError("missing_shuffle", f"shuffles[{number - 1}]")
        pile = self.shuffles[number - 1]
        if sorted(pile) != sorted(cards):
            raise RecordError("impossible_shuffle", f"shuffles[{number - 1}]", **_counts(cards))
        self.used = max(self.used, number)
        return pile


@dataclass(slots=True)
class WitnessedChance:
    """A wrapper of another chance that keeps its piles, to write them into a record."""

    chance: SealedChance
    piles: list[tuple[Policy, ...]] = field(default_factory=list)

    def reshuffle(self, number: int, cards: Sequence[Policy]) -> tuple[Policy, ...]:
        pile = self.chance.reshuffle(number, cards)
        self.piles.append(pile)
        return pile


def replay(record: Record) -> Iterator[ReplayedPosition]:
    """Yield every position of the record, starting with the opening.

    Raises IllegalRecord at the first illegal action, and RecordError for a shuffle that is missing,
    impossible or unused, or for an outcome that contradicts the game.
    """
    chance = RecordedChance(record.shuffles)
    state = opening(record.options, record.deal)
    yield ReplayedPosition(0, state)
    for number, entry in enumerate(record.entries, start=1):
        before = state
        try:
            state, events = apply(before, entry.action, chance)
        except IllegalAction as error:
            raise IllegalRecord(number, entry.action, error.reason, all_legal(before)) from None
        yield ReplayedPosition(number, state, entry, events)
    if chance.used < len(record.shuffles):
        raise RecordError("unused_shuffle", f"shuffles[{chance.used}]")
    if record.outcome is not None and record.outcome != state.outcome:
        raise RecordError("contradicted_outcome", "outcome")


def all_legal(state: GameState) -> tuple[Action, ...]:
    """Return every action that any seat may take now."""
    return tuple(action for seat in state.alive for action in legal_actions(state, seat))


def verify(record: Record) -> list[str]:
    """Return the paths at which the record contradicts its seal; empty if the seal holds.

    Raises RecordError if the record has no seal.
    """
    seal = record.seal
    if seal is None:
        raise RecordError("no_seal", "seal")
    wrong = verify_seal(seal)
    chance = SealedChance(bytes.fromhex(seal.seed), seal.contributions)
    deal = chance.deal(record.options, len(record.seats))
    for name in ("roles", "draw_pile", "first_candidate"):
        if getattr(deal, name) != getattr(record.deal, name):
            wrong.append(f"deal.{name}")
    for number, pile in enumerate(record.shuffles, start=1):
        if chance.reshuffle(number, pile) != pile:
            wrong.append(f"shuffles[{number - 1}]")
    return wrong


# Writing ---------------------------------------------------------------------------------


def action_json(action: Action) -> dict[str, object]:
    """Return the action as RECORD.md writes it.

    >>> from games.rules.actions import Vote
    >>> action_json(Vote(2, Ballot.JA))
    {'seat': 2, 'action': 'vote', 'ballot': 'ja'}
    """
    names = _FIELDS[type(action)]
    rest = {name: _plain(getattr(action, name)) for name in names if name != "seat"}
    return {"seat": action.seat, "action": action.kind, **rest}


def event_json(event: Event) -> dict[str, object]:
    """Return the event as `replay --json` prints it.

    >>> from games.rules.events import Tracker
    >>> event_json(Tracker(3))
    {'event': 'tracker', 'value': 3}
    """
    return {"event": event.kind} | {f.name: _plain(getattr(event, f.name)) for f in fields(event)}


def position_json(position: ReplayedPosition) -> dict[str, object]:
    """Return the position as `replay --json` prints it."""
    state = position.state
    outcome = state.outcome
    return {
        "after": position.after,
        "phase": str(state.phase),
        "to_act": list(state.to_act),
        "candidate": state.candidate,
        "nominee": state.nominee,
        "president": state.president,
        "chancellor": state.chancellor,
        "liberal": state.liberal,
        "fascist": state.fascist,
        "tracker": state.tracker,
        "draw": len(state.draw),
        "discard": len(state.discards),
        "alive": list(state.alive),
        "limited": list(state.limited),
        "eligible": list(state.eligible),
        "veto_unlocked": state.veto_unlocked,
        "events": [event_json(event) for event in position.events],
        "winner": None if outcome is None else str(outcome.winner),
        "ending": None if outcome is None else str(outcome.ending),
    }


def record_json(record: Record) -> dict[str, object]:
    """Return the record as a JSON object."""
    outcome = record.outcome
    written: dict[str, object] = {
        "format": FORMAT,
        "version": VERSION,
        "edition": record.edition,
        "options": _options_json(record),
        "seats": list(record.seats),
        "deal": {
            "roles": _plain(record.deal.roles),
            "draw_pile": _plain(record.deal.draw_pile),
            "first_candidate": record.deal.first_candidate,
        },
        "shuffles": _plain(record.shuffles),
        "actions": [_entry_json(entry) for entry in record.entries],
        "outcome": None
        if outcome is None
        else {"winner": str(outcome.winner), "ending": str(outcome.ending)},
    }
    speakers = veto_formulas(record.options)
    if speakers and speakers != veto_formulas(EDITIONS[record.edition]):
        written["veto_spoken_by"] = [
            officer for officer, formula in _VETO_SPEAKERS.items() if formula in speakers
        ]
    if record.seal is not None:
        written["seal"] = seal_json(record.seal)
    return written


def _options_json(record: Record) -> dict[str, object]:
    written = differences(record.edition, record.options)
    if "spoken_formula" in written:
        spoken = record.options.spoken_formula
        names = [VETO if item in VETO_FORMULAS else str(item) for item in spoken]
        written["spoken_formula"] = list(dict.fromkeys(names))
    return written


def _entry_json(entry: Entry) -> dict[str, object]:
    written = action_json(entry.action)
    if entry.at is not None:
        written["at"] = entry.at
    if entry.by is not None:
        written["by"] = entry.by
    return written


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, StrEnum) else value


# Reading ---------------------------------------------------------------------------------


def read_record(data: object) -> Record:
    """Return a Record from parsed JSON after a complete check of its structure.

    Unknown keys are ignored, except in `options`. Raises RecordError.
    """
    root = read_object(data, "")
    if root.get("format") != FORMAT:
        raise RecordError("expected_value", "format", allowed=FORMAT)
    if type(root.get("version")) is not int or root["version"] != VERSION:
        raise RecordError("expected_value", "version", allowed=VERSION)
    edition = read_string(root, "edition", "")
    options = _read_options(edition, root)
    seats = _read_seats(root, options)
    deal = _read_deal(root, options, len(seats))
    shuffles = tuple(
        _policies(pile, f"shuffles[{i}]")
        for i, pile in enumerate(read_list(root.get("shuffles", []), "shuffles"))
    )
    entries = tuple(
        _read_entry(item, f"actions[{i}]", len(seats))
        for i, item in enumerate(read_list(required(root, "actions", ""), "actions"))
    )
    return Record(
        edition=edition,
        options=options,
        seats=seats,
        deal=deal,
        shuffles=shuffles,
        entries=entries,
        outcome=_read_outcome(root.get("outcome")),
        seal=read_seal(root.get("seal"), len(seats)),
    )


def read_action(data: object, path: str, seats: int) -> Action:
    """Return an action of RECORD.md for a table with `seats` seats. Raises RecordError."""
    item = read_object(data, path)
    kind = ACTIONS[read_choice(required(item, "action", path), f"{path}.action", _KINDS)]
    values: dict[str, object] = {}
    for name in _FIELDS[kind]:
        where = f"{path}.{name}"
        value = required(item, name, path)
        if name in ("seat", "target"):
            values[name] = read_seat(value, where, seats)
        elif name == "consent":
            values[name] = read_boolean(value, where)
        elif name == "ballot":
            values[name] = Ballot(read_choice(value, where, _BALLOTS))
        else:
            values[name] = Policy(read_choice(value, where, _POLICIES))
    return cast(Action, cast(Any, kind)(**values))


def _read_options(edition: str, root: Mapping[str, object]) -> Options:
    given = read_object(root.get("options", {}), "options")
    spoken = given.get("spoken_formula", [])
    try:
        options = options_of(edition, given)
        if isinstance(spoken, list) and not {*spoken} <= {*_FORMULAS}:
            # A name that the site gives to one officer's formula, but the format does not.
            raise OptionError("formulas", "spoken_formula", spoken)
    except OptionError as error:
        path = "edition" if error.code == "unknown_edition" else f"options.{error.name}"
        code = "unknown_option" if error.code == "unknown_option" else "not_allowed"
        allowed = _FORMULAS if error.code == "formulas" else error.allowed
        raise RecordError(
            code, path, value=shortened(error.value), allowed=", ".join(allowed)
        ) from None
    speakers = _read_veto_speakers(root)
    if not speakers or not veto_formulas(options):
        return options
    return replace(
        options,
        spoken_formula=tuple(
            item
            for item in Formula
            if item in (speakers if item in VETO_FORMULAS else options.spoken_formula)
        ),
    )


def _read_veto_speakers(root: Mapping[str, object]) -> tuple[Formula, ...]:
    """Return the veto's formulas that the record names by officer, or () if it names none."""
    path = "veto_spoken_by"
    if path not in root:
        return ()
    given = read_list(root[path], path)
    officers = [
        read_choice(item, f"{path}[{i}]", tuple(_VETO_SPEAKERS)) for i, item in enumerate(given)
    ]
    if not officers or len({*officers}) < len(officers):
        raise RecordError(
            "not_allowed", path, value=shortened(given), allowed=", ".join(_VETO_SPEAKERS)
        )
    return tuple(_VETO_SPEAKERS[officer] for officer in officers)


def _read_seats(root: Mapping[str, object], options: Options) -> tuple[str, ...]:
    names = read_list(required(root, "seats", ""), "seats")
    for i, name in enumerate(names):
        if not isinstance(name, str):
            raise RecordError("not_text", f"seats[{i}]")
    least, most = options.players
    if not least <= len(names) <= most:
        raise RecordError("wrong_seats", "seats", least=least, most=most, found=len(names))
    return tuple(cast("list[str]", names))


def _read_deal(root: Mapping[str, object], options: Options, seats: int) -> Deal:
    data = read_object(required(root, "deal", ""), "deal")
    roles = tuple(
        Role(read_choice(role, f"deal.roles[{i}]", tuple(Role)))
        for i, role in enumerate(read_list(required(data, "roles", "deal"), "deal.roles"))
    )
    dealt = options.roles(seats)
    if sorted(roles) != sorted(dealt):
        raise RecordError("wrong_roles", "deal.roles", allowed=", ".join(dealt))
    pile = _policies(required(data, "draw_pile", "deal"), "deal.draw_pile")
    if sorted(pile) != sorted(options.pile()):
        raise RecordError("wrong_pile", "deal.draw_pile", **_counts(options.pile()))
    first = read_seat(required(data, "first_candidate", "deal"), "deal.first_candidate", seats)
    return Deal(roles, pile, first)


def _read_entry(data: object, path: str, seats: int) -> Entry:
    action = read_action(data, path, seats)
    item = read_object(data, path)
    at = item.get("at")
    if at is not None and not is_moment(at):
        raise RecordError("not_moment", f"{path}.at")
    by = item.get("by")
    if by is not None:
        by = read_choice(by, f"{path}.by", ("player", "clock", "bot"))
    return Entry(action, at, by)


def is_moment(value: object) -> TypeGuard[str]:
    """Return whether the value is an ISO 8601 date and time in UTC."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return False
    return moment is not None and moment.utcoffset() == timedelta()


def _read_outcome(data: object) -> Outcome | None:
    if data is None:
        return None
    item = read_object(data, "outcome")
    told = {key: required(item, key, "outcome") for key in ("winner", "ending")}
    winner = Party(read_choice(told["winner"], "outcome.winner", tuple(Party)))
    ending = Ending(read_choice(told["ending"], "outcome.ending", tuple(Ending)))
    if _ENDINGS[ending] is not winner:
        raise RecordError("expected_value", "outcome.winner", allowed=str(_ENDINGS[ending]))
    return Outcome(winner, ending)


def _policies(value: object, path: str) -> tuple[Policy, ...]:
    return tuple(
        Policy(read_choice(item, f"{path}[{i}]", _POLICIES))
        for i, item in enumerate(read_list(value, path))
    )


def _counts(cards: Sequence[Policy]) -> dict[str, int]:
    liberals = list(cards).count(Policy.LIBERAL)
    return {"liberal": liberals, "fascist": len(cards) - liberals}
