"""What a bot believes: about everyone's role, and about what the others believe of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import compress
from math import exp
from typing import Final

from games.bots.heard import Heard
from games.inference import Belief
from games.inference.assignments import HITLER, LIBERAL, joint_roles
from games.rules.components import Role
from games.rules.view import View

from .persuasion import shifts

_OWN: Final = "reasoning: own"
_COVER: Final = "reasoning: cover"


@dataclass(frozen=True, slots=True)
class Odds:
    """The probability by seat of being in the fascist party, and of being Hitler."""

    fascist: tuple[float, ...]
    hitler: tuple[float, ...]


class _Follower:
    """A belief that follows the history of a game, and how far it has read."""

    __slots__ = ("belief", "claims", "known", "told")

    def __init__(self, belief: Belief) -> None:
        self.belief = belief
        self.told = self.claims = self.known = 0

    def follow(self, view: View | None, heard: Heard, *, believes_own_claims: bool = False) -> None:
        for claim in heard.claims[self.claims :]:
            if believes_own_claims:
                # The belief takes what its own seat says as seen, and ignores other seats.
                self.belief.learn(claim)
            self.belief.update(claim)
        self.claims = len(heard.claims)
        if view is not None:
            for item in view.knowledge[self.known :]:
                self.belief.learn(item)
            self.known = len(view.knowledge)
        for _, _, events in heard.told[self.told :]:
            for event in events:
                self.belief.update(event)
        self.told = len(heard.told)


def own_belief(view: View, heard: Heard) -> Belief:
    """Return what the viewer believes, with all that the viewer knows."""
    key = _OWN, view.viewer
    follower = heard.memory.get(key)
    if follower is None:
        belief = Belief(view.options, view.players, view.viewer, view.roles)
        follower = heard.memory[key] = _Follower(belief)
    follower.follow(view, heard)
    return follower.belief


def cover_belief(view: View, heard: Heard) -> Belief:
    """Return what a liberal in the viewer's seat would believe who saw what the viewer claims."""
    assert view.viewer is not None
    key = _COVER, view.viewer
    follower = heard.memory.get(key)
    if follower is None:
        roles = tuple(Role.LIBERAL if seat == view.viewer else None for seat in range(view.players))
        belief = Belief(view.options, view.players, view.viewer, roles)
        follower = heard.memory[key] = _Follower(belief)
    follower.follow(None, heard, believes_own_claims=True)
    return follower.belief


def odds_for(view: View, heard: Heard) -> Odds:
    """Return the odds that the viewer acts by, after all that it has been told.

    They are a liberal's own, or those that a fascist shows.
    """
    assert view.viewer is not None
    belief = (own_belief if view.role is Role.LIBERAL else cover_belief)(view, heard)
    odds = _odds(belief, belief.probabilities())
    return _moved(belief, odds, shifts(heard, view.viewer, odds.fascist))


def _moved(belief: Belief, odds: Odds, moves: Mapping[int, float]) -> Odds:
    """Return the odds after shifts in log odds by seat. What is certain stays certain."""
    if not moves:
        return odds
    # An assignment becomes likelier by the shifts of all its fascists: so the number of fascists
    # stays right, and who is no fascist is not Hitler.
    probabilities = list(belief.probabilities())
    fascist, _ = _holders(belief.players, belief.fascists)
    for seat, shift in moves.items():
        factor = exp(shift)
        probabilities = [
            p * factor if is_fascist else p
            for p, is_fascist in zip(probabilities, fascist[seat], strict=True)
        ]
    total = sum(probabilities)
    return _odds(belief, [p / total for p in probabilities])


def _odds(belief: Belief, probabilities: Sequence[float]) -> Odds:
    # Sums over up to 840 assignments at each decision: `compress` adds them up at once.
    fascist, hitler = _holders(belief.players, belief.fascists)
    return Odds(
        tuple(sum(compress(probabilities, holds)) for holds in fascist),
        tuple(sum(compress(probabilities, holds)) for holds in hitler),
    )


@cache
def _holders(players: int, fascists: int | None) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """Return for each seat in which assignments it is a fascist, and in which it is Hitler."""
    roles = [joint_roles(players, (seat,), fascists) for seat in range(players)]
    return (
        tuple(bytes(role != LIBERAL for role in of_seat) for of_seat in roles),
        tuple(bytes(role == HITLER for role in of_seat) for of_seat in roles),
    )
