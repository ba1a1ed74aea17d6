"""The chips of the search for games: each filter in words, with the search without it."""

from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from typing import Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import wording
from games.analysis.moments import Moment
from games.models import Pace
from games.rules.components import Party, Role
from games.selectors.game_filters import GameFilters
from games.selectors.game_search import MOST_COUNTED, FoundGames, finds_public_games
from games.text.game_query import Wide

# A search in words, and what it means.
Example = tuple[str, GameFilters]
_MOST_EXAMPLES: Final = 4
# The common numbers come last: with them one finds more games, but one would guess them, too.
_EXAMPLE_PLAYERS: Final = (7, 8, 9, 10, 6, 5)
_EXAMPLE_MOMENTS: Final = (Moment.CHAOS, Moment.VETO, Moment.VETO_REFUSED, Moment.EXECUTION)


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter in words, and the filters without it."""

    label: str
    without: GameFilters
    # A name may be written in any direction.
    is_name: bool = False


def chips_of(filters: GameFilters) -> tuple[Chip, ...]:
    """Return a chip for each filter; both ends of a period have one together."""
    return tuple(_chips(filters))


def examples() -> tuple[Example, ...]:
    """Return searches to begin with, in the reader's language, and what they mean.

    They are of different kinds: of each kind the first one that finds a game. The search knows all
    its labels. Each check is cached, and without any game there is one check alone.
    """
    if not finds_public_games(GameFilters()):
        return ()
    found = (
        next((each for each in kind if finds_public_games(each[1])), None)
        for kind in _kinds_of_examples()
    )
    return tuple(islice(filter(None, found), _MOST_EXAMPLES))


def _kinds_of_examples() -> Iterator[Sequence[Example]]:
    yield [
        (wording.players_counted(number), GameFilters(players=str(number)))
        for number in _EXAMPLE_PLAYERS
    ]
    yield [_moments(Moment.HITLER_ELECTED), _moments(Moment.HITLER_EXECUTED)]
    yield [
        *(_moments(Moment.VETO, winner=party) for party in Party),
        *((wording.winner(party), GameFilters(winner=party)) for party in Party),
    ]
    first = timezone.localdate().replace(day=1)
    before = first - timedelta(days=1)
    yield [
        (pgettext("search", "This month"), GameFilters(since=first, until=_last_of(first))),
        (
            pgettext("search", "Last month"),
            GameFilters(since=before.replace(day=1), until=before),
        ),
    ]
    yield [_moments(moment) for moment in _EXAMPLE_MOMENTS]


def _moments(moment: Moment, winner: Party | None = None) -> Example:
    """Return the search for a moment, and for who won."""
    words = wording.moment(moment)
    if winner is None:
        return words, GameFilters(moments=(moment,))
    both = pgettext("search", "%(one)s, %(other)s") % {
        "one": wording.winner(winner),
        "other": words,
    }
    return both, GameFilters(winner=winner, moments=(moment,))


@dataclass(frozen=True, slots=True)
class Choice:
    """What a word with several meanings may mean, and the filters with it."""

    label: str
    filters: GameFilters


def choices_of(wide: Wide, filters: GameFilters) -> tuple[Choice, ...]:
    """Return the meanings of words that have several, each added to the filters."""
    return tuple(
        Choice(chip.label, filters.with_terms([term]))
        for term in wide.meanings
        for chip in _chips(GameFilters().with_terms([term]))
    )


def _chips(filters: GameFilters) -> Iterator[Chip]:
    for name in filters.names:
        without = filters.without("names", value=name).effective()
        yield Chip(name, without, is_name=True)
    # The names stand in the chips before.
    if filters.result:
        won = pgettext("games", "Won")
        label = won if filters.result == "won" else pgettext("games", "Lost")
        yield Chip(label, filters.without("result"))
    if filters.role:
        label = pgettext("game", "Role: %(role)s") % {"role": wording.role(Role(filters.role))}
        yield Chip(label, filters.without("role"))
    if filters.edition:
        yield Chip(wording.edition_name(filters.edition), filters.without("edition"))
    if filters.players:
        yield Chip(wording.sizes_counted(filters.players), filters.without("players"))
    if filters.company:
        label = _("With bots") if filters.company == "bots" else _("People only")
        yield Chip(label, filters.without("company"))
    if filters.winner:
        yield Chip(wording.winner(Party(filters.winner)), filters.without("winner"))
    if filters.ending:
        yield Chip(wording.ending(filters.ending).rstrip(".。"), filters.without("ending"))
    for moment in filters.moments:
        yield Chip(wording.moment(moment), filters.without("moments", value=moment))
    if filters.length:
        yield Chip(wording.game_length(filters.length), filters.without("length"))
    if filters.pace:
        yield Chip(str(Pace(filters.pace).label), filters.without("pace"))
    if filters.language:
        yield Chip(wording.spoken_name(filters.language), filters.without("language"))
    if filters.since is not None or filters.until is not None:
        yield Chip(period_in_words(filters.since, filters.until), filters.without("since", "until"))


def found_in_words(
    found: FoundGames, *, is_beyond: bool, has_filters: bool, is_open: bool = False
) -> str:
    """Return how many games were found, if they were counted.

    `is_open` says that nothing was searched, because the reader must first choose what is meant.
    """
    number = len(found.games)
    if is_open and not number:
        return _("Which did you mean?")
    if is_beyond:
        return _("More games") if number else _("There are no more games here.")
    if not number:
        return _("No games found") if has_filters else _("No games between people yet")
    counted = found.counted or number
    if counted > MOST_COUNTED:
        more = ngettext("More than %(games)s game", "More than %(games)s games", MOST_COUNTED)
        return more % {"games": MOST_COUNTED}
    return ngettext("%(games)s game", "%(games)s games", counted) % {"games": counted}


def period_in_words(since: date | None, until: date | None) -> str:
    """Return the days from one to another in words: a year, a month, a day, or both ends."""
    if until is None:
        return _("From %(day)s") % {"day": _day(since)}
    if since is None:
        return _("Until %(day)s") % {"day": _day(until)}
    if since == until:
        return _day(since)
    if (since, until) == (date(since.year, 1, 1), date(since.year, 12, 31)):
        return str(since.year)
    if (since, until) == (since.replace(day=1), _last_of(since)):
        return date_format(since, "YEAR_MONTH_FORMAT")
    return f"{_day(since)} – {_day(until)}"


def _last_of(day: date) -> date:
    """Return the last day of the month."""
    return day.replace(day=monthrange(day.year, day.month)[1])


def _day(day: date | None) -> str:
    return date_format(day, "SHORT_DATE_FORMAT") if day is not None else ""
