"""Finished games with what was said in them, as the fitting and the scores read them.

This module replays records, so it knows the truth. The posterior never imports it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from games.rules.components import CARDS_DRAWN, Party, Policy, Role
from games.rules.editions import Options
from games.rules.events import Enacted, Event, Nominated
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received, TopSeen
from games.rules.reading import (
    RecordError,
    read_choice,
    read_list,
    read_object,
    read_seat,
    required,
)
from games.rules.record import Record, read_record, replay
from games.rules.view import public_event

from .assignments import NAMES, role_codes
from .belief import Belief
from .course import Course, Peek, Session, Target
from .tables import Tables

_KINDS: Final[Mapping[str, type[Knowledge]]] = {
    "president": Drawn,
    "chancellor": Received,
    "peek": TopSeen,
    "investigation": PartySeen,
}
_CARDS: Final = {Drawn: CARDS_DRAWN, Received: CARDS_DRAWN - 1, TopSeen: CARDS_DRAWN}
_POLICIES: Final = tuple(Policy)
_PARTIES: Final = tuple(Party)


@dataclass(frozen=True, slots=True)
class Step:
    """The public events of one action."""

    seat: int
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class AnnotatedGame:
    """A finished game: its course, its truth, and its claims."""

    options: Options
    roles: bytes
    steps: tuple[Step, ...]
    knowledge: tuple[Knowledge, ...]
    claims: tuple[Knowledge, ...]
    _seen: dict[tuple[type[Knowledge], int], Knowledge] = field(default_factory=dict)
    _said: dict[tuple[type[Knowledge], int, int], Knowledge] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._seen.update({(type(item), item.round): item for item in self.knowledge})
        self._said.update({(type(item), item.round, item.seat): item for item in self.claims})

    def seen(self, kind: type[Knowledge], number: int) -> Knowledge | None:
        """Return what was really seen in a round."""
        return self._seen.get((kind, number))

    def claim(self, kind: type[Knowledge], number: int, seat: int) -> Knowledge | None:
        """Return the last thing that a seat claimed of this kind about a round."""
        return self._said.get((kind, number, seat))


@dataclass(frozen=True, slots=True)
class Moment:
    """A belief at a moment of a game that is scored."""

    belief: Belief
    # The position before the final action; all others come after a government that drew cards.
    is_last: bool


def read_game(data: object) -> AnnotatedGame:
    """Return the game in one line: a record and its claims. Raises RecordError, IllegalRecord."""
    root = read_object(data, "")
    record = read_record(required(root, "record", ""))
    game = _replayed(record)
    enacted = _enacted(game)
    claims = tuple(
        _read_claim(item, f"claims[{i}]", record, game, enacted)
        for i, item in enumerate(read_list(root.get("claims", []), "claims"))
    )
    return AnnotatedGame(game.options, game.roles, game.steps, game.knowledge, claims)


def _replayed(record: Record) -> AnnotatedGame:
    steps: list[Step] = []
    state = None
    for position in replay(record):
        state = position.state
        if position.entry is not None:
            events = tuple(public_event(event) for event in position.events)
            steps.append(Step(position.entry.action.seat, events))
    assert state is not None
    if state.outcome is None:
        raise RecordError("unfinished_game", "record.actions")
    roles = role_codes(record.deal.roles)
    return AnnotatedGame(record.options, roles, tuple(steps), state.knowledge, ())


def _enacted(game: AnnotatedGame) -> dict[int, Policy]:
    """Return what the governments enacted, by round."""
    found: dict[int, Policy] = {}
    number = 0
    for step in game.steps:
        for event in step.events:
            if isinstance(event, Nominated):
                number += 1
            elif isinstance(event, Enacted) and event.by == "government":
                found[number] = event.policy
    return found


def _read_claim(
    data: object,
    path: str,
    record: Record,
    game: AnnotatedGame,
    enacted: Mapping[int, Policy],
) -> Knowledge:
    item = read_object(data, path)
    kind = _KINDS[read_choice(required(item, "kind", path), f"{path}.kind", tuple(_KINDS))]
    seat = read_seat(required(item, "seat", path), f"{path}.seat", len(record.seats))
    number = required(item, "round", path)
    if type(number) is not int:
        raise RecordError("not_a_round", f"{path}.round")
    seen = game.seen(kind, number)
    if seen is None or seen.seat != seat:
        raise RecordError("not_seen", path)
    claimed = required(item, "claimed", path)
    if kind is PartySeen:
        assert isinstance(seen, PartySeen)
        party = Party(read_choice(claimed, f"{path}.claimed", _PARTIES))
        return PartySeen(number, seat, seen.target, party)
    policies = tuple(
        Policy(read_choice(policy, f"{path}.claimed[{i}]", _POLICIES))
        for i, policy in enumerate(read_list(claimed, f"{path}.claimed"))
    )
    if len(policies) != _CARDS[kind]:
        raise RecordError("wrong_length", f"{path}.claimed", allowed=str(_CARDS[kind]))
    if kind is Drawn:
        if item.get("discarded") in policies:
            discarded = Policy(str(item["discarded"]))
        else:
            received = game.seen(Received, number)
            discarded = unsaid_discard(policies, seen, received, enacted.get(number))
        return Drawn(number, seat, policies, discarded)
    return Received(number, seat, policies) if kind is Received else TopSeen(number, seat, policies)


def unsaid_discard(
    policies: tuple[Policy, ...],
    seen: Knowledge,
    received: Knowledge | None,
    enacted: Policy | None,
) -> Policy:
    """Return the discard of a claim that leaves it open: what was left unsaid is no lie.

    It fits what the Chancellor received, or else at least what was enacted. The model of the
    posterior does not look at it.
    """
    assert isinstance(seen, Drawn)
    if sorted(policies) == sorted(seen.policies):
        return seen.discarded
    if isinstance(received, Received):
        rest = Counter(policies) - Counter(received.policies)
        if rest.total() == 1:
            return next(iter(rest))
    fascist = policies.count(Policy.FASCIST)
    is_needed = enacted is Policy.FASCIST and fascist == 1
    return Policy.FASCIST if fascist and not is_needed else Policy.LIBERAL


def moments(game: AnnotatedGame, viewer: int | None, tables: Tables) -> Iterator[Moment]:
    """Yield the viewer's belief after every government that drew cards and did not end the game.

    At that moment the two officers have made their claims about the session, and nothing has
    happened since. The last moment is the position before the final action. The belief of a moment
    changes when the next one is asked for.
    """
    belief = Belief(game.options, len(game.roles), viewer, _own_role(game, viewer), tables)
    private = [item for item in game.knowledge if item.seat == viewer]
    for item in private:
        if not isinstance(item, PartySeen | TopSeen):
            belief.learn(item)
    course = Course(game.options, len(game.roles))
    for step in game.steps:
        if step is game.steps[-1]:
            yield Moment(belief, is_last=True)
            return
        session = None
        for event in step.events:
            evidence = course.advance(event)
            belief.update(event)
            if isinstance(evidence, Session):
                session = evidence
                _tell(belief, game, Drawn, session.round, session.president)
                _tell(belief, game, Received, session.round, session.chancellor)
            elif isinstance(evidence, Target | Peek):
                kind: type[Knowledge] = PartySeen if isinstance(evidence, Target) else TopSeen
                _tell(belief, game, kind, evidence.round, evidence.president)
                for item in private:
                    if isinstance(item, kind) and item.round == evidence.round:
                        belief.learn(item)
        if session is not None:
            yield Moment(belief, is_last=False)


def _own_role(game: AnnotatedGame, viewer: int | None) -> tuple[Role | None, ...]:
    return tuple(NAMES[role] if seat == viewer else None for seat, role in enumerate(game.roles))


def _tell(belief: Belief, game: AnnotatedGame, kind: type[Knowledge], at: int, seat: int) -> None:
    claim = game.claim(kind, at, seat)
    if claim is not None:
        belief.update(claim)
