"""Claims: what somebody says they saw. A claim is a piece of knowledge that may be a lie.

What may be claimed follows from what the whole table heard: a session, a peek or an
investigation that is over. Only the number of cards binds; that a claim contradicts another,
or the policy that all saw enacted, is for the table to notice: see `games.history`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations_with_replacement, product
from typing import Any, Final

from .components import CARDS_DRAWN, Party, Policy
from .events import Elected, Enacted, Event, Investigated, Peeked, Veto
from .state import Drawn, Knowledge, PartySeen, Received, TopSeen

# What one action brought about: its round, the seat that acted, and the events.
Told = tuple[int, int, Sequence[Event]]


class About(StrEnum):
    """What was seen."""

    DRAWN = "drawn"
    RECEIVED = "received"
    PARTY = "party"
    PEEKED = "peeked"


@dataclass(frozen=True, slots=True)
class Sight:
    """Something that one seat alone has seen, as the whole table knows."""

    about: About
    round: int
    seat: int
    # Who was investigated.
    target: int | None = None

    @property
    def claims(self) -> tuple[Knowledge, ...]:
        """Everything that may be claimed of it; cards whose order means nothing are sorted."""
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

    def __str__(self) -> str:
        """Names it among the same seat's: "drawn-3", "party-2-4"."""
        name = f"{self.about}-{self.round}"
        return name if self.target is None else f"{name}-{self.target}"


class ClaimError(ValueError):
    """This is not a claim."""


def sights(told: Iterable[Told]) -> tuple[Sight, ...]:
    """All that may be claimed about a game so far, the oldest first."""
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
                case Investigated(target=target):
                    found.append(Sight(About.PARTY, number, actor, target))
                case Peeked():
                    found.append(Sight(About.PEEKED, number, actor))
    return tuple(found)


def sight_of(claim: Knowledge) -> Sight:
    """What a claim, or a piece of knowledge, is about."""
    match claim:
        case PartySeen():
            return Sight(About.PARTY, claim.round, claim.seat, claim.target)
        case Drawn():
            about = About.DRAWN
        case Received():
            about = About.RECEIVED
        case TopSeen():
            about = About.PEEKED
    return Sight(about, claim.round, claim.seat)


def passed(claim: Drawn) -> tuple[Policy, ...]:
    """The two policies that went on to the Chancellor by this claim, sorted."""
    rest = list(claim.policies)
    rest.remove(claim.discarded)
    return _sorted(rest)


def agrees(claim: Knowledge, truth: Knowledge) -> bool:
    """Whether a claim says what is so of the same sight."""
    return _plain(claim) == _plain(truth)


def claim_code(claim: Knowledge) -> str:
    """A claim as its seat's form posts it.

    "drawn-3-lff-f", "received-3-lf", "peeked-5-flf", "party-2-4-l": what it is about, the round,
    who was investigated, and what was seen.
    """
    match claim:
        case Drawn():
            said = f"{_letters(claim.policies)}-{_letters([claim.discarded])}"
        case Received() | TopSeen():
            said = _letters(claim.policies)
        case PartySeen():
            said = claim.party[0]
    return f"{sight_of(claim)}-{said}"


def claim_by_code(code: str, seat: int) -> Knowledge:
    """The claim of `seat` that has this code. Raises ClaimError."""
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
    """A claim as it is kept."""
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
    return data


def read_claim(data: object) -> Knowledge:
    """What `claim_json` wrote, and nothing else. Raises ClaimError."""
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
    """The same, with cards whose order means nothing sorted."""
    match claim:
        case Drawn():
            return Drawn(claim.round, claim.seat, _sorted(claim.policies), claim.discarded)
        case Received():
            return Received(claim.round, claim.seat, _sorted(claim.policies))
    return claim


def _sorted(policies: Iterable[Policy]) -> tuple[Policy, ...]:
    """Liberal policies first, as they are handed over."""
    return tuple(sorted(policies, reverse=True))


def _letters(policies: Iterable[Policy]) -> str:
    return "".join(policy[0] for policy in policies)


_CODE: Final = re.compile(
    r"(?P<about>drawn|received|peeked|party)-(?P<round>[1-9][0-9]{0,3})(-(?P<target>[0-9]))?-[lf-]+",
    re.ASCII,
)
_HANDS: Final = {
    count: tuple(combinations_with_replacement((Policy.LIBERAL, Policy.FASCIST), count))
    for count in (CARDS_DRAWN, CARDS_DRAWN - 1)
}
_TOPS: Final = tuple(product((Policy.LIBERAL, Policy.FASCIST), repeat=CARDS_DRAWN))
