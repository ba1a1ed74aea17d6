"""The filters of the search for finished games, and their address."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any, Final

from django.utils.http import urlencode

# The most players whose games together can be searched for.
MOST_NAMES: Final = 5
# The filters by what the chosen players were and did.
PLAYER_FILTERS: Final = ("result", "role")
PLAYER_RESULTS: Final = ("won", "lost")
# Ranges of minutes that the site offers: "20-44" are 20 to 44 minutes, "45-" has no end.
LENGTHS: Final = ("0-19", "20-44", "45-")
# In minutes: the longest length that can be asked for.
LONGEST: Final = 999
# By field: the parameters of the address. Other fields have their own names.
_PARAMETERS: Final = {"names": "player", "moments": "moment"}


@dataclass(frozen=True, slots=True)
class GameFilters:
    """Which games to find. Empty values do not filter."""

    # All of them played.
    names: tuple[str, ...] = ()
    edition: str = ""
    # A number, or the least and the most: "7" or "5-6".
    players: str = ""
    # "people" for games without bots, "bots" for games with at least one.
    company: str = ""
    winner: str = ""
    # Of each of those players: "won" or "lost", and the role. Without names they do not filter.
    result: str = ""
    role: str = ""
    ending: str = ""
    # All of them happened.
    moments: tuple[str, ...] = ()
    # A range of minutes, as LENGTHS has them.
    length: str = ""
    pace: str = ""
    # The table's only language.
    language: str = ""
    # Days in the reader's time zone; games that ended on either day are found.
    since: date | None = None
    until: date | None = None

    @property
    def sizes(self) -> range:
        """The numbers of players to find; none if they don't filter."""
        least, _, most = self.players.partition("-")
        return range(int(least), int(most or least) + 1) if self.players else range(0)

    @property
    def seconds(self) -> tuple[int, int | None]:
        """The least length, and the first one that is longer than the most; None for no end."""
        least, _, most = self.length.partition("-")
        return _first_second(int(least or 0)), _first_second(int(most) + 1) if most else None

    def __bool__(self) -> bool:
        return self != GameFilters()

    def query(self, **more: object) -> str:
        """Return the filters and more as a query string: "?edition=en&moment=veto", or ""."""
        given: dict[str, Any] = {
            _PARAMETERS.get(field.name, field.name): getattr(self, field.name)
            for field in fields(self)
        } | more
        query = urlencode({name: value for name, value in given.items() if value}, doseq=True)
        return f"?{query}" if query else ""

    def with_terms(self, terms: Iterable[tuple[str, Any]]) -> "GameFilters":
        """Return the filters and these more.

        Names and moments are added; each other value replaces the one of its kind. More names than
        MOST_NAMES are left out.
        """
        changed: dict[str, Any] = {}
        for name, value in terms:
            if name in _PARAMETERS:
                held = changed.get(name, getattr(self, name))
                changed[name] = held if value in held else (*held, value)
            else:
                changed[name] = value
        if "names" in changed:
            changed["names"] = changed["names"][:MOST_NAMES]
        return replace(self, **changed)

    def minus(self, said: "GameFilters") -> "GameFilters":
        """Return the filters that the others don't say as well."""
        changed: dict[str, Any] = {}
        for each in fields(self):
            own, other = getattr(self, each.name), getattr(said, each.name)
            if each.name in _PARAMETERS:
                changed[each.name] = tuple(value for value in own if value not in other)
            elif own == other:
                changed[each.name] = getattr(GameFilters(), each.name)
        return replace(self, **changed)

    def effective(self) -> "GameFilters":
        """Return the filters that count: a result and a role count beside a player alone."""
        return self if self.names else self.without(*PLAYER_FILTERS)

    def has(self, *names: str) -> bool:
        """Return whether one of these fields filters."""
        return any(getattr(self, name) for name in names)

    def say(self, name: str, value: Any) -> bool:
        """Return whether a field has this value, or it is one of its several values."""
        own = getattr(self, name)
        return value in own if name in _PARAMETERS else bool(own == value)

    def without(self, *names: str, value: str = "") -> "GameFilters":
        """Return the filters without these fields, or without one value of a field of several."""
        empty = GameFilters()
        changed: dict[str, Any] = {
            name: tuple(each for each in getattr(self, name) if each != value)
            if value
            else getattr(empty, name)
            for name in names
        }
        return replace(self, **changed)


def _first_second(minutes: int) -> int:
    """Return the least seconds that round to these minutes. `round` makes halves even."""
    return max(60 * minutes - 30 + minutes % 2, 0)
