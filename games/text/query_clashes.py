"""Finds words of a search that contradict each other: "7 players 8 players"."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.text.game_query import Part
from games.text.query_phrases import Term

# A game may have several of these.
_SEVERAL: Final = ("names", "moments")
# One period may have its ends in two pieces of the text: "since October until December".
_PERIOD: Final = ("since", "until")


@dataclass(frozen=True, slots=True)
class Clash:
    """Pieces of a text that give one filter different values, in the order of the text."""

    parts: tuple[Part, ...]

    @property
    def values(self) -> tuple[tuple[Term, ...], ...]:
        return tuple(dict.fromkeys(part.terms or () for part in self.parts))

    @property
    def filters(self) -> frozenset[str]:
        """The names of the filters that have no value for sure."""
        return frozenset(name for value in self.values for name, _ in value)

    def beside(self, value: tuple[Term, ...]) -> tuple[Part, ...]:
        """Return the pieces that don't fit this one value."""
        return tuple(part for part in self.parts if _differ(part.terms or (), value))


def clashes_of(parts: Sequence[Part]) -> tuple[Clash, ...]:
    """Return the clashes among these pieces of a text. The same value twice is none."""
    kinds: defaultdict[str, list[Part]] = defaultdict(list)
    for part in parts:
        if part.terms and part.terms[0][0] not in _SEVERAL:
            name = part.terms[0][0]
            kinds["period" if name in _PERIOD else name].append(part)
    found = (
        tuple(part for part in kind if any(_differ(part.terms, other.terms) for other in kind))
        for kind in kinds.values()
    )
    return tuple(Clash(clash) for clash in found if clash)


def _differ(one: Sequence[Term] | None, other: Sequence[Term] | None) -> bool:
    """Return whether both give a filter a value, and not the same one."""
    values = dict(other or ())
    return any(values.get(name, value) != value for name, value in one or ())
