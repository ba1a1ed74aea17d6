"""The government history: a term for each candidacy, and which claims contradict each other.

It is built from the log and from claims, so it holds nothing that the whole table did not hear.
When the game is over, the revealed information shows which claims were lies.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, assert_never

from games.models import Message
from games.rules.claims import (
    About,
    Sight,
    Told,
    agrees,
    passed,
    sight_of,
    sights,
)
from games.rules.components import CARDS_DRAWN, Ballot, Party, Policy
from games.rules.events import (
    Ballots,
    Candidate,
    Elected,
    Enacted,
    Nominated,
    NotHitler,
    Over,
    Rejected,
    Shuffled,
    Tracker,
    Veto,
)
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received, TopSeen
from games.rules.powers import POWERS, Power, PowerUsed, power_of, target_of
from games.state.chat import ChatMessage, said_claim
from games.state.game_log import Entry, Round
from games.state.rooms import Room


@dataclass(frozen=True, slots=True)
class ClaimedHand:
    """The claims of a seat about one sight."""

    sight: Sight
    # The claim that stands.
    claim: Knowledge
    # The claims that it replaced, oldest first.
    former: tuple[Knowledge, ...] = ()
    # Whether the claim is a lie; None while only one player knows.
    is_lie: bool | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """One candidacy and its outcome."""

    number: int
    candidate: int | None = None
    nominee: int | None = None
    # By seat, once the vote is settled.
    ballots: tuple[Ballot | None, ...] | None = None
    is_elected: bool | None = None
    # The policies enacted by the government, and by chaos.
    policy: Policy | None = None
    chaos: Policy | None = None
    is_vetoed: bool = False
    power: Power | None = None
    # The seat that the power was used on.
    target: int | None = None
    # The rule by which the game ended in this round; "" if it did not.
    ending: str = ""
    stories: tuple[ClaimedHand, ...] = ()

    @property
    def concerned(self) -> tuple[int, ...]:
        """The seats that took part in this term."""
        seats = (self.candidate, self.nominee, self.target)
        return tuple(dict.fromkeys(seat for seat in seats if seat is not None))


class Clash(StrEnum):
    # The President claims to have passed other cards than the Chancellor claims to have received.
    PASSED = "passed"
    # An officer's claimed cards do not include the policy that the table saw enacted.
    ENACTED = "enacted"
    # A President claims that another player is a fascist. They cannot both be liberals.
    PARTY = "party"
    # A peek, and a later claim about the same cards.
    PEEKED = "peeked"
    # A peek, and a policy from those cards that the table saw enacted.
    TOP = "top"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Claims of which one must be a lie, or a claim and the public fact that contradicts it."""

    clash: Clash
    claim: Knowledge
    # The claim that contradicts it; None if a public fact does.
    other: Knowledge | None = None
    # The enacted policy that contradicts the claim, and its round.
    policy: Policy | None = None
    round: int = 0

    @property
    def key(self) -> str:
        """An identifier that stays the same whatever is claimed later."""
        parts = [str(self.clash), str(sight_of(self.claim))]
        parts.append(str(self.round) if self.other is None else str(sight_of(self.other)))
        return "-".join(parts)


@dataclass(frozen=True, slots=True)
class _Peek:
    """A peek whose cards may still lie on top of the pile."""

    sight: Sight
    # How many of the three cards have been taken since.
    taken: int = 0


@dataclass(frozen=True, slots=True)
class _Fate:
    """What happened to the cards of a peek: a session drew them, or chaos enacted one."""

    peek: _Peek
    round: int
    by_chaos: bool
    # The policy that the table saw; None after a veto.
    policy: Policy | None


def claims_in(room: Room) -> tuple[Knowledge, ...]:
    """Return all claims made at a table and not removed, oldest first."""
    return tuple(
        _claim(said)
        for said in room.talk
        if said.kind == Message.Kind.CLAIM and not said.is_removed
    )


def public_events_of(rounds: Iterable[Round]) -> Iterator[Told]:
    """Yield the public events of the log, action by action."""
    for each in rounds:
        for entry in each.entries:
            if isinstance(entry, Entry):
                yield each.number, entry.actor, entry.events


def government_history_of(
    rounds: Sequence[Round],
    claims: Iterable[Knowledge] = (),
    truth: Iterable[Knowledge] = (),
    candidate: int | None = None,
) -> tuple[Term, ...]:
    """Return the terms of a game, oldest first.

    `claims` are in the order in which they were made; `truth` is the knowledge revealed when the
    game is over; `candidate` is the current presidential candidate, before any event has named
    them.
    """
    by_round: dict[int, list[ClaimedHand]] = {}
    for story in _stories(claims, truth):
        by_round.setdefault(story.sight.round, []).append(story)
    terms = []
    for each in rounds:
        term = _term(each)
        if term.candidate is None:
            term = replace(term, candidate=candidate)
        if term.candidate is None:
            continue
        stories = by_round.get(each.number)
        if stories is not None:
            stories.sort(key=lambda story: _ORDER.index(story.sight.about))
            term = replace(term, stories=tuple(stories))
        terms.append(term)
    return tuple(terms)


def conflicts_of(rounds: Sequence[Round], claims: Iterable[Knowledge]) -> tuple[Conflict, ...]:
    """Return the conflicts between standing claims, or with public facts, ordered by round."""
    standing = {sight_of(claim): claim for claim in claims}
    if not standing:
        return ()
    found: list[Conflict] = []
    enacted = {term.number: term.policy for term in map(_term, rounds)}
    by_round: dict[int, dict[type[Knowledge], Knowledge]] = {}
    for claim in standing.values():
        by_round.setdefault(claim.round, {})[type(claim)] = claim
    for number, of_round in sorted(by_round.items()):
        drawn, received = of_round.get(Drawn), of_round.get(Received)
        if (
            isinstance(drawn, Drawn)
            and isinstance(received, Received)
            and passed(drawn) != passed(received)
        ):
            found.append(Conflict(Clash.PASSED, drawn, received))
        policy = enacted.get(number)
        if policy is not None:
            if isinstance(drawn, Drawn) and policy not in passed(drawn):
                found.append(Conflict(Clash.ENACTED, drawn, policy=policy, round=number))
            if isinstance(received, Received) and policy not in received.policies:
                found.append(Conflict(Clash.ENACTED, received, policy=policy, round=number))
        party = of_round.get(PartySeen)
        if isinstance(party, PartySeen) and party.party is Party.FASCIST:
            found.append(Conflict(Clash.PARTY, party))
    found += _peeks_belied(rounds, standing)
    return tuple(sorted(found, key=_latest))


def open_sights(rounds: Sequence[Round], seat: int) -> tuple[Sight, ...]:
    """Return the sights that this seat may make a claim about, newest first."""
    return tuple(
        sight for each in reversed(rounds) for sight in _sights_in(each) if sight.seat == seat
    )


def _latest(conflict: Conflict) -> int:
    other = conflict.other
    return max(conflict.claim.round, conflict.round, 0 if other is None else other.round)


def _stories(claims: Iterable[Knowledge], truth: Iterable[Knowledge]) -> Iterator[ClaimedHand]:
    so = {sight_of(item): item for item in truth}
    made: dict[Sight, list[Knowledge]] = {}
    for claim in claims:
        made.setdefault(sight_of(claim), []).append(claim)
    for sight, said in made.items():
        *former, claim = said
        known = so.get(sight)
        is_lie = None if known is None else not agrees(claim, known)
        yield ClaimedHand(sight, claim, tuple(former), is_lie)


# Size of the caches of rounds and messages. Both are keyed by identity: unchanged ones are the same
# objects.
_REMEMBERED: Final = 10_000
# What was seen in a session comes before what a power showed.
_ORDER: Final = tuple(About)


@lru_cache(_REMEMBERED)
def _claim(said: ChatMessage) -> Knowledge:
    return said_claim(said.data)


@lru_cache(_REMEMBERED)
def _sights_in(each: Round) -> tuple[Sight, ...]:
    """Return the sights in a round, newest first."""
    return tuple(reversed(sights(public_events_of([each]))))


@lru_cache(_REMEMBERED)
def _term(each: Round) -> Term:
    facts: dict[str, Any] = {}
    for _, _, events in public_events_of([each]):
        for event in events:
            match event:
                case Candidate(seat=seat):
                    facts["candidate"] = seat
                case Nominated():
                    facts |= {"candidate": event.president, "nominee": event.chancellor}
                case Ballots(ballots=ballots):
                    facts["ballots"] = ballots
                case Elected() | Rejected():
                    facts["is_elected"] = isinstance(event, Elected)
                case Enacted(policy=policy, by=by):
                    facts["chaos" if by == "chaos" else "policy"] = policy
                case Veto(consent=True):
                    facts["is_vetoed"] = True
                case PowerUsed():
                    facts |= {"power": power_of(event), "target": target_of(event)}
                case Over(ending=ending):
                    facts["ending"] = str(ending)
                case Veto() | Tracker() | NotHitler() | Shuffled():
                    pass
                case _:
                    assert_never(event)
    return Term(each.number, **facts)


def _peeks_belied(
    rounds: Sequence[Round], standing: Mapping[Sight, Knowledge]
) -> Iterator[Conflict]:
    for fate in _fates(rounds):
        claim = standing.get(fate.peek.sight)
        if not isinstance(claim, TopSeen):
            continue
        left = claim.policies[fate.peek.taken :]
        if fate.by_chaos:
            if left[0] is not fate.policy:
                yield Conflict(Clash.TOP, claim, policy=fate.policy, round=fate.round)
            continue
        # Only if all three cards were drawn together must the policy be one of them.
        if len(left) == CARDS_DRAWN and fate.policy is not None and fate.policy not in left:
            yield Conflict(Clash.TOP, claim, policy=fate.policy, round=fate.round)
        for other in standing.values():
            if other.round == fate.round and _is_belied(left, other):
                yield Conflict(Clash.PEEKED, claim, other)


def _is_belied(left: Sequence[Policy], claim: Knowledge) -> bool:
    """Return whether a session's claim contradicts what a peek left on top of the pile."""
    peeked = Counter(left)
    match claim:
        case Drawn(policies=policies):
            return bool(peeked - Counter(policies))
        case Received(policies=policies):
            # One of the three was discarded unseen.
            unknown = CARDS_DRAWN - len(left)
            return (Counter(policies) - peeked).total() > unknown
        case PartySeen() | TopSeen():
            return False
        case _:
            assert_never(claim)


def _fates(rounds: Sequence[Round]) -> Iterator[_Fate]:
    """Yield what happened to the cards of each peek, as far as the table can tell."""
    peek: _Peek | None = None
    for number, actor, events in public_events_of(rounds):
        for event in events:
            match event:
                case PowerUsed() if POWERS[power_of(event)].shows is TopSeen:
                    peek = _Peek(Sight(About.PEEKED, number, actor))
                case Shuffled():
                    peek = None
                case Enacted(by="chaos") if peek is not None:
                    yield _Fate(peek, number, True, event.policy)
                    taken = peek.taken + 1
                    peek = _Peek(peek.sight, taken) if taken < CARDS_DRAWN else None
                case Enacted(by="government") | Veto(consent=True) if peek is not None:
                    policy = event.policy if isinstance(event, Enacted) else None
                    yield _Fate(peek, number, False, policy)
                    peek = None
                case PowerUsed() | Enacted() | Veto() | Nominated() | Ballots() | Elected():
                    pass
                case Rejected() | Tracker() | NotHitler() | Candidate() | Over():
                    pass
                case _:
                    assert_never(event)
