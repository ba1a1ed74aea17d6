"""How likely a bot is to do each thing, exactly: its draws are followed along every branch.

A bot gets its chance from `below` alone. A draw from a few numbers is followed number by number. A
draw from many is taken for a fraction of 1: the bot can only multiply and shift it and compare it,
and each comparison tells up to which fraction the bot does the same.
"""

from collections.abc import Callable
from typing import Final, TypeVar

from games.bots import Below

T = TypeVar("T")

_FEW: Final = 64
# A bot that draws more often than this is no bot of ours.
_MOST_BRANCHES: Final = 10_000


def distribution(chooses: Callable[[Below], T]) -> dict[T, float]:
    """Return the probability of each result of `chooses`. The results must be hashable.

    >>> shares = distribution(lambda below: "heads" if below(1 << 30) < (1 << 28) else "tails")
    >>> sorted(shares.items())
    [('heads', 0.25), ('tails', 0.75)]
    """
    shares: dict[T, float] = {}
    waiting: list[tuple[_Range, ...]] = [()]
    for _ in range(_MOST_BRANCHES):
        if not waiting:
            return shares
        branch = _Branch(waiting.pop())
        result = chooses(branch.below)
        shares[result] = shares.get(result, 0.0) + branch.share
        waiting += branch.others
    raise ValueError("this choice has too many branches")


# One draw: the fractions of 1 that belong to a branch, from the first to below the second.
_Range = tuple[float, float]


class _Branch:
    """One way through a choice: the ranges of its draws, some of which are given."""

    def __init__(self, given: tuple[_Range, ...]) -> None:
        self._given = given
        self._ends: list[float] = []
        self.drawn: list[list[float]] = []

    def below(self, n: int) -> int:
        number = len(self.drawn)
        low, end = self._given[number] if number < len(self._given) else (0.0, 1.0)
        self._ends.append(end)
        if n <= _FEW:
            value = round(low * n)
            self.drawn.append([low, (value + 1) / n])
            return value
        own = [low, end]
        self.drawn.append(own)
        return _Draw.of(own, n, 0.0)  # type: ignore[return-value]  # as good as a number here

    @property
    def share(self) -> float:
        share = 1.0
        for low, high in self.drawn:
            share *= high - low
        return share

    @property
    def others(self) -> list[tuple[_Range, ...]]:
        """Return the branches that leave this one at a draw whose range was not given."""
        found = []
        for number in range(max(0, len(self._given) - 1), len(self.drawn)):
            high, end = self.drawn[number][1], self._ends[number]
            if high < end - 1e-12:
                before = tuple((low, to) for low, to in self.drawn[:number])
                found.append((*before, (high, end)))
        return found


class _Draw(float):
    """The lowest number of a range. A comparison cuts the range where its result changes."""

    own: list[float]
    scale: float
    shift: float

    @classmethod
    def of(cls, own: list[float], scale: float, shift: float) -> "_Draw":
        new = cls(own[0] * scale + shift)
        new.own, new.scale, new.shift = own, scale, shift
        return new

    def _is_below(self, value: float) -> bool:
        at = (value - self.shift) / self.scale
        if self.own[0] < at:
            self.own[1] = min(self.own[1], at)
            return self.scale > 0
        return self.scale < 0

    def __lt__(self, value: float) -> bool:
        return self._is_below(value)

    def __le__(self, value: float) -> bool:
        return self._is_below(value)

    def __gt__(self, value: float) -> bool:
        return not self._is_below(value)

    def __ge__(self, value: float) -> bool:
        return not self._is_below(value)

    def __add__(self, value: float) -> "_Draw":
        return _Draw.of(self.own, self.scale, self.shift + value)

    __radd__ = __add__

    def __sub__(self, value: float) -> "_Draw":
        return _Draw.of(self.own, self.scale, self.shift - value)

    def __mul__(self, value: float) -> "_Draw":
        return _Draw.of(self.own, self.scale * value, self.shift * value)

    __rmul__ = __mul__

    def __truediv__(self, value: float) -> "_Draw":
        return _Draw.of(self.own, self.scale / value, self.shift / value)

    def _lost(self, *args: object) -> "int | float":
        raise TypeError("this draw cannot be followed any further")

    # An integer would say nothing of where the range ends.
    __int__ = __trunc__ = __floor__ = __round__ = _lost  # type: ignore[assignment]
    __index__ = __rsub__ = __rtruediv__ = __floordiv__ = __mod__ = _lost
