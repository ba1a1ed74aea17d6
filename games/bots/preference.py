"""Choosing the best by a score, with ties broken by chance."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from games.rules.actions import (
    Action,
    CallSpecialElection,
    Discard,
    Enact,
    Execute,
    Investigate,
    Nominate,
)
from games.rules.components import Policy

T = TypeVar("T")


def best(options: Sequence[T], score: Callable[[T], float], below: Callable[[int], int]) -> T:
    """One of the `options` (not empty) with the highest score, each such as likely."""
    scores = [score(option) for option in options]
    highest = max(scores)
    top = [option for option, value in zip(options, scores, strict=True) if value == highest]
    return top[below(len(top))]


def best_target(
    legal: Sequence[Action], score: Callable[[int], float], below: Callable[[int], int]
) -> Action:
    """The legal action whose target has the highest score."""
    return best(legal, lambda action: score(_target(action)), below)


def with_policy(legal: Sequence[Action], wanted: Policy) -> Action:
    """Discard or enact the wanted policy; where it is not in hand, the other one."""
    cards = [action for action in legal if isinstance(action, Discard | Enact)]
    return next((action for action in cards if action.policy is wanted), cards[0])


def _target(action: Action) -> int:
    assert isinstance(action, Nominate | Investigate | CallSpecialElection | Execute)
    return action.target
