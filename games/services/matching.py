"""Which of the users who wait can play together: pure functions, without a database or a clock."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS
from games.rules.editions import EDITIONS
from games.selectors.open_tables import SIZES

# A game waits for more players until no new one has come for this long.
QUIET: Final = timedelta(seconds=6)
# A table with bots has this many seats, if the players want no other size.
_WITH_BOTS: Final = 7
# With more users than this in conflict, the oldest go first instead of the most.
_EXACT: Final = 12


@dataclass(frozen=True, slots=True)
class Waiting:
    """A user who waits, and what they want. Empty values mean any."""

    user: int
    pace: str
    since: datetime
    languages: tuple[str, ...] = ()
    edition: str = ""
    size: str = ""
    # Since when they agree to play with bots.
    bots_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """A table that could open."""

    pace: str
    language: str
    edition: str
    least: int
    most: int

    def suits(self, one: Waiting) -> bool:
        """Return whether `one` wants to play at such a table."""
        least, most = SIZES[one.size] if one.size else (LEAST_PLAYERS, MOST_PLAYERS)
        return (
            one.pace == self.pace
            and (not one.edition or one.edition == self.edition)
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
        users = {one.user for one in taken}
        pool = [one for one in pool if one.user not in users]
    return tuple(matches)


def match_with_bots(waiting: Iterable[Waiting], apart: Pairs, now: datetime) -> tuple[Match, ...]:
    """Return the games of users who agree to play with bots; those who agree soon join them."""
    pool = sorted(
        (one for one in waiting if one.bots_since is not None),
        key=lambda one: (one.since, one.user),
    )
    matches = []
    while found := _best(pool, apart, least=1):
        offer, group = found
        group = group[: offer.most]
        newest = max(one.bots_since for one in group if one.bots_since is not None)
        seats = min(offer.most, max(offer.least, _WITH_BOTS, len(group)))
        users = tuple(one.user for one in group)
        matches.append(Match(offer, users, seats - len(users), begins=now - newest >= QUIET))
        gone = {one.user for one in group}
        pool = [one for one in pool if one.user not in gone]
    return tuple(matches)


def offers(waiting: Sequence[Waiting]) -> Iterator[Offer]:
    """Yield every table that one of these users could mean."""
    languages = sorted({language for one in waiting for language in one.languages}) or [""]
    wanted = {one.edition for one in waiting if one.edition}
    sizes = {SIZES[one.size] for one in waiting if one.size}
    if any(not one.size for one in waiting):
        sizes.add((LEAST_PLAYERS, MOST_PLAYERS))
    for pace in sorted({one.pace for one in waiting}):
        for language in languages:
            for edition in sorted(wanted | {edition_of(language)}):
                smallest, largest = EDITIONS[edition].players
                for least, most in sorted(sizes):
                    if max(least, smallest) <= min(most, largest):
                        yield Offer(
                            pace, language, edition, max(least, smallest), min(most, largest)
                        )


def edition_of(language: str) -> str:
    """Return the edition for a language: the one of that name, or else the English one."""
    return language if language in EDITIONS else "en"


def together(users: Sequence[Waiting], apart: Pairs) -> list[Waiting]:
    """Return as many of these users as can sit at one table, in their order."""
    present = {one.user for one in users}
    pairs = [pair for pair in apart if pair <= present]
    torn = [one.user for one in users if any(one.user in pair for pair in pairs)]
    kept = _without(torn, pairs) if len(torn) <= _EXACT else _oldest(torn, pairs)
    return [one for one in users if one.user not in torn or one.user in kept]


def _best(
    pool: Sequence[Waiting], apart: Pairs, least: int | None
) -> tuple[Offer, list[Waiting]] | None:
    """Return the offer for the user who waits longest, with as many others as possible."""
    found: tuple[tuple[int, int], Offer, list[Waiting]] | None = None
    place = {one.user: number for number, one in enumerate(pool)}
    for offer in offers(pool):
        group = together([one for one in pool if offer.suits(one)], apart)
        if not group or len(group) < (offer.least if least is None else least):
            continue
        rank = (place[group[0].user], -len(group))
        if found is None or rank < found[0]:
            found = rank, offer, group
    return None if found is None else found[1:]


def _table_size(players: int, offer: Offer) -> int:
    """Return how many of these players the first table takes, so that all find one if possible."""
    tables = -(-players // offer.most)
    return -(-players // tables) if tables * offer.least <= players else min(players, offer.most)


def _without(torn: Sequence[int], pairs: Pairs) -> set[int]:
    """Return the largest choice of these users that holds no pair."""
    if not torn:
        return set()
    first, rest = torn[0], torn[1:]
    foes = {user for pair in pairs if first in pair for user in pair}
    with_first = {first} | _without([user for user in rest if user not in foes], pairs)
    if not foes & set(rest):
        return with_first
    others = _without(rest, pairs)
    return with_first if len(with_first) >= len(others) else others


def _oldest(torn: Sequence[int], pairs: Pairs) -> set[int]:
    kept: set[int] = set()
    for user in torn:
        if not any(frozenset((user, other)) in pairs for other in kept):
            kept.add(user)
    return kept
