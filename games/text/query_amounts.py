"""Reads numbers of players, and lengths, in what a user types into the search for games.

A number stands with its unit (7 players, 7p, 30 min), that of players also alone. A range has two
ends (5-6, "from 5 to 8") or one (8+, "at least 8", "8 or more", "< 7"). In words, a number needs
its unit. Nothing here knows Django or the database.
"""

import re
from collections.abc import Callable
from typing import Final

from games.text.query_phrases import (
    BEFORE,
    JOINT,
    NUMBER_END,
    SPACE,
    Marks,
    Phrases,
    behind_to,
    skip,
)

# Which end of a range a number is, and how much the end differs from it.
_Bound = tuple[str, int]

_NUMBER: Final = re.compile(f"{BEFORE}([0-9]{{1,3}})(?![0-9])")
# Directly behind a number, and before one: which side it bounds, and by how much more.
_PLUS: Final = re.compile(r"\+(?!\s?[0-9])")
_COMPARED: Final = re.compile(r"([<>]=?|[≤≥])\s*")
_COMPARISONS: Final[dict[str, _Bound]] = {
    ">=": ("least", 0),
    "≥": ("least", 0),
    ">": ("least", 1),
    "<=": ("most", 0),
    "≤": ("most", 0),
    "<": ("most", -1),
}
# The same by the name of the marks before and behind a number.
BOUNDS: Final[dict[str, _Bound]] = {
    "at_least": ("least", 0),
    "more_than": ("least", 1),
    "at_most": ("most", 0),
    "fewer_than": ("most", -1),
}
BOUNDS_BEHIND: Final[dict[str, _Bound]] = {
    "or_more": ("least", 0),
    "more_than_behind": ("least", 1),
    "or_fewer": ("most", 0),
    "fewer_than_behind": ("most", -1),
}


class Amounts:
    """Amounts of one unit, and the words that stand beside them in a text.

    `amounts` are those that there may be. `marks` are words by use: `unit` behind a number,
    "between", "to" and "until" around the two ends of a range; the names of BOUNDS stand in front
    of its only end, and those of BOUNDS_BEHIND behind it. `numbers` are words for numbers. A number
    is counted `factor` times. Unless `is_unit_needed`, a number in digits may stand alone.
    """

    def __init__(
        self,
        amounts: range,
        marks: Marks,
        numbers: Phrases,
        *,
        unit: str,
        factor: int = 1,
        is_unit_needed: bool = False,
    ) -> None:
        self._amounts = amounts
        self._marks = marks
        self._numbers = numbers
        self._units = marks[unit]
        self._factor = factor
        self._is_unit_needed = is_unit_needed

    def at(
        self, text: str, place: int, is_other: Callable[[int], bool]
    ) -> tuple[range, int] | None:
        """Return the amounts that begin here, and where their words end.

        Those that no game has are left out; None if no such words begin here. `is_other` says
        whether the number at a place is part of something else, such as a day.
        """
        bound, begins = self._bound_before(text, place)
        if bound is None and (between := self._marks["between"].at(text, place)):
            begins = skip(SPACE, text, between[1])
        first = self._number(text, begins)
        if first is None or is_other(begins):
            return None
        least, end = first
        most, unit = least, self._unit(text, end)
        # "From 5" is a bound, but not in "from 5 to 8".
        if bound in (None, ("least", 0)) and (last := self._last(text, unit or end, is_other)):
            if least < last[0]:
                most, end = last
                bound, unit = None, self._unit(text, end)
            elif unit is None:
                return None
        elif bound is None and (behind := self._bound_behind(text, end, unit)):
            bound, end = behind
            unit = self._unit(text, end) or unit
        elif bound is None and begins > place:
            return None
        if unit is None and not self._stand_alone(text, begins, end, least, most):
            return None
        if bound is not None:
            side, more = bound
            if side == "least":
                least, most = least + more, self._amounts[-1]
            else:
                least, most = self._amounts[0], least + more
        found = range(max(least, self._amounts[0]), min(most, self._amounts[-1]) + 1)
        return found, max(end, unit or end)

    def has_unit(self, text: str, place: int) -> bool:
        """Return whether the number that ends here has the unit, alone or with another one."""
        if self._unit(text, place) is not None:
            return True
        behind = behind_to(text, place, self._marks)
        last = self._number(text, behind) if behind else None
        return last is not None and self._unit(text, last[1]) is not None

    def _stand_alone(self, text: str, begins: int, end: int, least: int, most: int) -> bool:
        """Return whether numbers without their unit are amounts."""
        if self._is_unit_needed:
            return False
        # In words, such as "five", they may be part of a name.
        is_digit = text[begins : begins + 1].isdecimal() and NUMBER_END.match(text, end)
        return bool(is_digit) and least in self._amounts and most in self._amounts

    def _bound_before(self, text: str, place: int) -> tuple[_Bound | None, int]:
        """Return which end of a range the words here name, and where its number begins."""
        if sign := _COMPARED.match(text, place):
            return _COMPARISONS[sign[1]], sign.end()
        found = [
            (mark[1], bound)
            for name, bound in BOUNDS.items()
            if (mark := self._marks[name].at(text, place))
        ]
        if not found:
            return None, place
        end, bound = max(found)
        return bound, skip(SPACE, text, end)

    def _bound_behind(self, text: str, *places: int | None) -> tuple[_Bound, int] | None:
        """Return which end of a range the words behind a place name, and where they end."""
        for place in places:
            if place is None:
                continue
            if plus := _PLUS.match(text, place):
                return ("least", 0), plus.end()
            begins = skip(SPACE, text, place)
            for name, bound in BOUNDS_BEHIND.items():
                if mark := self._marks[name].at(text, begins):
                    return bound, mark[1]
        return None

    def _last(
        self, text: str, place: int, is_other: Callable[[int], bool]
    ) -> tuple[int, int] | None:
        """Return the second number of a range and its end, if the first one ends here."""
        begins = behind_to(text, place, self._marks)
        # In "5-10 October" the numbers are days; in "7 and 6 reds" the last one counts policies.
        if begins is None or is_other(begins):
            return None
        return self._number(text, begins)

    def _unit(self, text: str, place: int) -> int | None:
        """Return where the unit behind a number ends; None if there is none."""
        begins = skip(JOINT, text, place)
        # From its own beginning, because the word in "7p" begins within another one.
        unit = self._units.at(text[begins:], 0)
        return begins + unit[1] if unit else None

    def _number(self, text: str, place: int) -> tuple[int, int] | None:
        """Return the number in digits or words that stands here, with its factor, and its end."""
        if found := _NUMBER.match(text, place):
            return int(found[1]) * self._factor, found.end()
        if word := self._numbers.at(text, place):
            return int(str(word[0][1])) * self._factor, word[1]
        return None
