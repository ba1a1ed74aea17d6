"""Which of the users who wait can play together: pure functions, without a database or a clock."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product
from typing import Final

from games.models import Pace
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS
from games.rules.editions import EDITIONS
from games.selectors.open_tables import SIZES, ListedTable

# A game waits for more players until no new one has come for this long.
QUIET: Final = timedelta(seconds=6)
# A table with bots has this many seats, if the players want no other size.
_WITH_BOTS: Final = 7


@dataclass(frozen=True, slots=True)
class Waiting:
    """A user who waits, and what they want. Empty values mean any."""

    user: int
    since: datetime
    pace: str = ""
    languages: tuple[str, ...] = ()
    size: str = ""
    # From when on bots may fill the table; None if the user does not agree to them.
    bots_at: datetime | None = None

    @property
    def players(self) -> tuple[int, int]:
        return SIZES[self.size] if self.size else (LEAST_PLAYERS, MOST_PLAYERS)

    def fits(self, table: ListedTable) -> bool:
        """Return whether the user wants to play at this table that gathers."""
        least, most = self.players
        return (
            self.pace in ("", table.pace)
            and (not self.languages or any(table.speaks(one) for one in self.languages))
            and table.least <= most
            and least <= table.wanted
        )


@dataclass(frozen=True, slots=True)
class Offer:
    """A table that could open."""

    pace: str
    language: str
    least: int
    most: int

    @property
    def edition(self) -> str:
        """The edition of the language, or else the English one."""
        return self.language if self.language in EDITIONS else "en"

    def suits(self, one: Waiting) -> bool:
        """Return whether `one` wants to play at such a table."""
        least, most = one.players
        return (
            one.pace in ("", self.pace)
            and (not one.languages or self.language in one.languages)
            and least <= self.least
            and self.most <= most
        )


@dataclass(frozen=True, slots=True)
class Match:
    """Users who play together, the one who waits longest first, and how many bots join them."""

    offer: Offer
    users: tuple[int, ...]
    bots: int = 0
    # False while they wait a moment for more players.
    begins: bool = True


# Two users who may not sit at one table.
Pairs = Collection[frozenset[int]]


def match_people(waiting: Iterable[Waiting], apart: Pairs, now: datetime) -> tuple[Match, ...]:
    """Return the games that are possible without bots.

    Users who wait longest choose first. A group that could still grow begins when no one new has
    come for a moment.
    """
    pool = sorted(waiting, key=lambda one: (one.since, one.user))
    matches = []
    while found := _best(pool, apart, least=None):
        offer, group = found
        taken = group[: _table_size(len(group), offer)]
        is_full = len(group) >= offer.most
        begins = is_full or now - max(one.since for one in group) >= QUIET
        if not begins:
            taken = group
        matches.append(Match(offer, tuple(one.user for one in taken), begins=begins))
        pool = _without_users(pool, taken)
    return tuple(matches)


def match_with_bots(waiting: Iterable[Waiting], apart: Pairs, now: datetime) -> tuple[Match, ...]:
    """Return the games of users who agree to bots. One who has waited long enough is enough."""
    agreed = (one for one in waiting if one.bots_at is not None)
    pool = sorted(agreed, key=lambda one: (one.since, one.user))
    matches = []
    while found := _best(pool, apart, least=1):
        offer, group = found
        group = group[: offer.most]
        seats = min(offer.most, max(offer.least, _WITH_BOTS, len(group)))
        begins = any(one.bots_at is not None and one.bots_at <= now for one in group)
        users = tuple(one.user for one in group)
        matches.append(Match(offer, users, seats - len(users), begins=begins))
        pool = _without_users(pool, group)
    return tuple(matches)


def offers(waiting: Sequence[Waiting]) -> Iterator[Offer]:
    """Yield every table that one of these users could mean."""
    paces = sorted({one.pace for one in waiting if one.pace}) or [Pace.NORMAL.value]
    languages = sorted({language for one in waiting for language in one.languages}) or [""]
    sizes = sorted({one.players for one in waiting})
    for pace, language, (least, most) in product(paces, languages, sizes):
        yield Offer(pace, language, least, most)


def together(users: Sequence[Waiting], apart: Pairs) -> list[Waiting]:
    """Return users who can sit at one table, in their order.

    A user who keeps apart from most others is left out first, the newest of several such.
    """
    kept = list(users)
    present = {one.user for one in kept}
    foes: dict[int, set[int]] = {user: set() for user in present}
    for first, second in (pair for pair in apart if pair <= present):
        foes[first].add(second)
        foes[second].add(first)
    while any(foes.values()):
        worst = max(reversed(kept), key=lambda one: len(foes[one.user]))
        kept.remove(worst)
        for other in foes.pop(worst.user):
            foes[other].remove(worst.user)
    return kept


def _best(
    pool: Sequence[Waiting], apart: Pairs, least: int | None
) -> tuple[Offer, list[Waiting]] | None:
    """Return the offer for the user who waits longest, with as many others as possible."""
    found: tuple[tuple[int, int], Offer, list[Waiting]] | None = None
    place = {one.user: number for number, one in enumerate(pool)}
    present = set(place)
    apart = [pair for pair in apart if pair <= present]
    # Many offers suit the same users.
    groups: dict[tuple[int, ...], list[Waiting]] = {}
    for offer in offers(pool):
        suited = [one for one in pool if offer.suits(one)]
        if not suited or len(suited) < (offer.least if least is None else least):
            continue
        key = tuple(one.user for one in suited)
        if key not in groups:
            groups[key] = together(suited, apart)
        group = groups[key]
        if len(group) < (offer.least if least is None else least):
            continue
        rank = (place[group[0].user], -len(group))
        if found is None or rank < found[0]:
            found = rank, offer, group
    return None if found is None else found[1:]


def _table_size(players: int, offer: Offer) -> int:
    """Return how many of these players the first table takes, so that all find one if possible."""
    tables = -(-players // offer.most)
    return -(-players // tables) if tables * offer.least <= players else min(players, offer.most)


def _without_users(pool: Sequence[Waiting], gone: Sequence[Waiting]) -> list[Waiting]:
    users = {one.user for one in gone}
    return [one for one in pool if one.user not in users]
