"""Choosing the option with the highest score, with ties broken at random."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from games.rules.actions import Action, Discard, Enact, Nominate
from games.rules.components import Policy
from games.rules.powers import UsePowerOn

T = TypeVar("T")


def best(options: Sequence[T], score: Callable[[T], float], below: Callable[[int], int]) -> T:
    """Return one of the `options` (not empty) with the highest score; ties are equally likely."""
    scores = [score(option) for option in options]
    highest = max(scores)
    top = [option for option, value in zip(options, scores, strict=True) if value == highest]
    return top[below(len(top))]


def best_target(
    legal: Sequence[Action], score: Callable[[int], float], below: Callable[[int], int]
) -> Action:
    """Return the legal action whose target has the highest score."""
    return best(legal, lambda action: score(_target(action)), below)


def with_policy(legal: Sequence[Action], wanted: Policy) -> Action:
    """Discard or enact the wanted policy, or the other one if it is not in hand."""
    cards = [action for action in legal if isinstance(action, Discard | Enact)]
    return next((action for action in cards if action.policy is wanted), cards[0])


def _target(action: Action) -> int:
    assert isinstance(action, Nominate | UsePowerOn)
    return action.target
