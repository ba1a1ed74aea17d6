"""The chips of the search for games: each filter in words, with the search without it."""

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import wording
from games.analysis.moments import Moment
from games.models import Pace
from games.rules.components import Party
from games.selectors.game_filters import GameFilters
from games.selectors.game_search import FoundGames, finds_public_games
from games.text.game_query import Wide

_EXAMPLE_PLAYERS: Final = 7


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


def examples() -> tuple[tuple[str, GameFilters], ...]:
    """Return searches to begin with, in the reader's language, and what they mean.

    The search knows all its labels. Left out is what finds no game.
    """
    players = ngettext("%(players)s player", "%(players)s players", _EXAMPLE_PLAYERS)
    every = (
        (players % {"players": _EXAMPLE_PLAYERS}, GameFilters(players=_EXAMPLE_PLAYERS)),
        (wording.moment(Moment.HITLER_ELECTED), GameFilters(moments=(Moment.HITLER_ELECTED,))),
        (
            f"{wording.winner(Party.LIBERAL)}, {wording.moment(Moment.VETO)}",
            GameFilters(winner=Party.LIBERAL, moments=(Moment.VETO,)),
        ),
    )
    return tuple(each for each in every if finds_public_games(each[1]))


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
        yield Chip(name, filters.without("names", value=name), is_name=True)
    if filters.edition:
        yield Chip(wording.edition_name(filters.edition), filters.without("edition"))
    if filters.players:
        players = ngettext("%(players)s player", "%(players)s players", filters.players)
        yield Chip(players % {"players": filters.players}, filters.without("players"))
    if filters.winner:
        yield Chip(wording.winner(Party(filters.winner)), filters.without("winner"))
    if filters.ending:
        yield Chip(wording.ending(filters.ending).rstrip(".。"), filters.without("ending"))
    for moment in filters.moments:
        yield Chip(wording.moment(moment), filters.without("moments", value=moment))
    if filters.pace:
        yield Chip(str(Pace(filters.pace).label), filters.without("pace"))
    if filters.language:
        yield Chip(wording.spoken_name(filters.language), filters.without("language"))
    if filters.since is not None or filters.until is not None:
        yield Chip(period_in_words(filters.since, filters.until), filters.without("since", "until"))


def found_in_words(found: FoundGames, *, is_beyond: bool, has_filters: bool) -> str:
    """Return how many games were found. Nothing is counted: more than a page is "more than"."""
    number = len(found.games)
    if is_beyond:
        return _("More games") if number else _("There are no more games here.")
    if not number:
        return _("No games found") if has_filters else _("No games between people yet")
    if found.older is not None:
        more = ngettext("More than %(games)s game", "More than %(games)s games", number)
        return more % {"games": number}
    return ngettext("%(games)s game", "%(games)s games", number) % {"games": number}


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
    last = monthrange(since.year, since.month)[1]
    if (since, until) == (since.replace(day=1), since.replace(day=last)):
        return date_format(since, "YEAR_MONTH_FORMAT")
    return f"{_day(since)} – {_day(until)}"


def _day(day: date | None) -> str:
    return date_format(day, "SHORT_DATE_FORMAT") if day is not None else ""
