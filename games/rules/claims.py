"""Claims: what players say they saw. A claim has the form of knowledge, but may be a lie.

Public events determine what may be claimed: a session, a peek or an investigation that is over.
Only the number of cards is enforced. A claim may contradict another claim or the policy that
everyone saw enacted; pointing that out is the job of `games.state.government_history`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations_with_replacement, product
from typing import Any, Final, assert_never

from .components import CARDS_DRAWN, Party, Policy
from .events import (
    Ballots,
    Candidate,
    Elected,
    Enacted,
    Event,
    Nominated,
    NotHitler,
    Over,
    Rejected,
    Shuffled,
    Tracker,
    Veto,
)
from .knowledge import Drawn, Knowledge, PartySeen, Received, TopSeen
from .powers import POWERS, PowerUsed, power_of, target_of

# How often a seat may say what it saw of one thing: once for each way that three cards may lie.
MOST_CLAIMS: Final = 8

# The result of one action: its round, the seat that acted, and the events.
Told = tuple[int, int, Sequence[Event]]


class About(StrEnum):
    """The kind of thing that was seen."""

    DRAWN = "drawn"
    RECEIVED = "received"
    PARTY = "party"
    PEEKED = "peeked"


@dataclass(frozen=True, slots=True)
class Sight:
    """Something that only one seat has seen; that this happened is public."""

    about: About
    round: int
    seat: int
    # The investigated seat; None for all other kinds.
    target: int | None = None

    @property
    def claims(self) -> tuple[Knowledge, ...]:
        """Every possible claim about it; cards without a meaningful order are sorted."""
        match self.about:
            case About.DRAWN:
                return tuple(
                    Drawn(self.round, self.seat, policies, discarded)
                    for policies in _HANDS[CARDS_DRAWN]
                    for discarded in Policy
                    if discarded in policies
                )
            case About.RECEIVED:
                hands = _HANDS[CARDS_DRAWN - 1]
                return tuple(Received(self.round, self.seat, policies) for policies in hands)
            case About.PEEKED:
                return tuple(TopSeen(self.round, self.seat, policies) for policies in _TOPS)
            case About.PARTY:
                target = self.target
                assert target is not None
                return tuple(PartySeen(self.round, self.seat, target, party) for party in Party)
            case _:
                assert_never(self.about)

    def __str__(self) -> str:
        """Return a name that is unique among the seat's sights: "drawn-3", "party-2-4"."""
        name = f"{self.about}-{self.round}"
        return name if self.target is None else f"{name}-{self.target}"


class ClaimError(ValueError):
    """The text or data is not a valid claim."""


def sights(told: Iterable[Told]) -> tuple[Sight, ...]:
    """Return everything that may be claimed about a game so far, oldest first."""
    found: list[Sight] = []
    president = chancellor = -1
    for number, actor, events in told:
        for event in events:
            match event:
                case Elected():
                    president, chancellor = event.president, event.chancellor
                case Enacted(by="government") | Veto(consent=True):
                    found.append(Sight(About.DRAWN, number, president))
                    found.append(Sight(About.RECEIVED, number, chancellor))
                case PowerUsed() if (about := _about(event)) is not None:
                    target = target_of(event) if about is About.PARTY else None
                    found.append(Sight(about, number, actor, target))
                case PowerUsed() | Enacted() | Veto() | Nominated() | Ballots() | Rejected():
                    pass
                case Tracker() | NotHitler() | Shuffled() | Candidate() | Over():
                    pass
                case _:
                    assert_never(event)
    return tuple(found)


def _about(event: PowerUsed) -> About | None:
    """Return what the President alone saw by using a power, if anything."""
    shows = POWERS[power_of(event)].shows
    return None if shows is None else _ABOUT[shows]


def sight_of(claim: Knowledge) -> Sight:
    """Return what a claim, or a piece of knowledge, is about."""
    match claim:
        case PartySeen():
            return Sight(About.PARTY, claim.round, claim.seat, claim.target)
        case Drawn() | Received() | TopSeen():
            return Sight(_ABOUT[type(claim)], claim.round, claim.seat)
        case _:
            assert_never(claim)


def bounded(claims: Sequence[Knowledge]) -> tuple[Knowledge, ...]:
    """Return the claims without those that a seat has replaced more than MOST_CLAIMS times."""
    left: Counter[Sight] = Counter()
    kept = []
    for claim in reversed(claims):
        sight = sight_of(claim)
        left[sight] += 1
        if left[sight] <= MOST_CLAIMS:
            kept.append(claim)
    return tuple(reversed(kept))


def passed(claim: Drawn | Received) -> tuple[Policy, ...]:
    """Return the two policies that the Chancellor received according to this claim, sorted."""
    rest = list(claim.policies)
    if isinstance(claim, Drawn):
        rest.remove(claim.discarded)
    return _sorted(rest)


def agrees(claim: Knowledge, truth: Knowledge) -> bool:
    """Return whether a claim matches the truth about the same sight."""
    return _plain(claim) == _plain(truth)


def is_confession(claim: Knowledge, policy: Policy | None) -> bool:
    """Return whether an officer claims to have withheld a liberal policy.

    So does a Chancellor who had one and enacted a fascist policy, and a President who discarded the
    only one. `policy` is what the government enacted; None after an accepted veto.
    """
    match claim:
        case Received():
            return policy is Policy.FASCIST and Policy.LIBERAL in claim.policies
        case Drawn():
            return Policy.LIBERAL in claim.policies and Policy.LIBERAL not in passed(claim)
        case PartySeen() | TopSeen():
            return False
        case _:
            assert_never(claim)


def claim_code(claim: Knowledge) -> str:
    """Return the claim as the seat's form posts it.

    Examples: "drawn-3-lff-f", "received-3-lf", "peeked-5-flf", "party-2-4-l". The parts are the
    subject, the round, the investigated seat (if any), and what was seen.
    """
    match claim:
        case Drawn():
            said = f"{_letters(claim.policies)}-{_letters([claim.discarded])}"
        case Received() | TopSeen():
            said = _letters(claim.policies)
        case PartySeen():
            said = claim.party[0]
        case _:
            assert_never(claim)
    return f"{sight_of(claim)}-{said}"


def claim_by_code(code: str, seat: int) -> Knowledge:
    """Return the claim of `seat` that has this code. Raises ClaimError."""
    found = _CODE.fullmatch(code)
    if found is None:
        raise ClaimError(code)
    about, number, target = found["about"], int(found["round"]), found["target"]
    sight = Sight(About(about), number, seat, None if target is None else int(target))
    for claim in sight.claims if (target is not None) is (about == About.PARTY) else ():
        if claim_code(claim) == code:
            return claim
    raise ClaimError(code)


def claim_json(claim: Knowledge) -> dict[str, Any]:
    """Return the claim as it is stored in JSON."""
    data: dict[str, Any] = {"about": str(sight_of(claim).about), "round": claim.round}
    data["seat"] = claim.seat
    match claim:
        case Drawn():
            data["policies"] = [str(policy) for policy in claim.policies]
            data["discarded"] = str(claim.discarded)
        case Received() | TopSeen():
            data["policies"] = [str(policy) for policy in claim.policies]
        case PartySeen():
            data["target"], data["party"] = claim.target, str(claim.party)
        case _:
            assert_never(claim)
    return data


def read_claim(data: object) -> Knowledge:
    """Return the claim that `claim_json` wrote. Raises ClaimError for any other data."""
    if not isinstance(data, dict):
        raise ClaimError("not an object")
    try:
        numbers = [data[key] for key in ("round", "seat", "target") if key in data]
        if any(type(number) is not int or number < 0 for number in numbers):
            raise ClaimError("not a number")
        sight = Sight(About(data["about"]), data["round"], data["seat"], data.get("target"))
        if (sight.target is None) is (sight.about is About.PARTY):
            raise ClaimError("somebody is named where nobody was seen, or nobody where somebody")
    except (KeyError, ValueError, TypeError) as error:
        raise ClaimError(str(error)) from error
    for claim in sight.claims:
        if claim_json(claim) == data:
            return claim
    raise ClaimError("nobody can have seen this")


def _plain(claim: Knowledge) -> Knowledge:
    """Return the same claim, with cards sorted where their order has no meaning."""
    match claim:
        case Drawn():
            return Drawn(claim.round, claim.seat, _sorted(claim.policies), claim.discarded)
        case Received():
            return Received(claim.round, claim.seat, _sorted(claim.policies))
        case PartySeen() | TopSeen():
            return claim
        case _:
            assert_never(claim)


def _sorted(policies: Iterable[Policy]) -> tuple[Policy, ...]:
    """Sort liberal policies first, the order in which a Chancellor receives them."""
    return tuple(sorted(policies, reverse=True))


def _letters(policies: Iterable[Policy]) -> str:
    return "".join(policy[0] for policy in policies)


_ABOUT: Final[dict[type[Knowledge], About]] = {
    Drawn: About.DRAWN,
    Received: About.RECEIVED,
    PartySeen: About.PARTY,
    TopSeen: About.PEEKED,
}
_CODE: Final = re.compile(
    r"(?P<about>drawn|received|peeked|party)-(?P<round>[1-9][0-9]{0,3})(-(?P<target>[0-9]))?-[lf-]+",
    re.ASCII,
)
_HANDS: Final = {
    count: tuple(combinations_with_replacement((Policy.LIBERAL, Policy.FASCIST), count))
    for count in (CARDS_DRAWN, CARDS_DRAWN - 1)
}
_TOPS: Final = tuple(product((Policy.LIBERAL, Policy.FASCIST), repeat=CARDS_DRAWN))
