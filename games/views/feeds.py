"""Atom feeds of finished public games, of a person's games, and of new dumps.

They say what everyone may see, in the language that `?lang=` names, or in the site's own. So they
read no cookie and set none (accounts/auth/public_paths.py).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import wraps
from typing import Concatenate, Final, ParamSpec

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import translation
from django.utils.feedgenerator import Atom1Feed
from django.utils.formats import date_format
from django.utils.http import http_date
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from accounts.profiles.languages import ADDRESS, in_language, linked_language
from config.http.origin import site_origin
from config.http.problems import problem
from games import wording
from games.models import Dump
from games.selectors.game_filters import GameFilters
from games.selectors.game_search import FoundGame, find_games
from games.views.public_api.api import BadParameters, check_known, kept
from games.views.public_api.parameters import Filters, read_filters
from games.views.public_api.routes import public_player

_SECONDS: Final = 300
_ENTRIES: Final = 30
# When a feed without entries was last changed. The present moment would change it each time.
_NEVER: Final = datetime(2020, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Entry:
    title: str
    summary: str
    # Without an origin.
    path: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Content:
    """What a feed says. `page` is the path of the page with the same content."""

    title: str
    page: str
    entries: Sequence[Entry]


P = ParamSpec("P")
Source = Callable[Concatenate[HttpRequest, P], Content]
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


class _Atom(Atom1Feed):
    def latest_post_date(self) -> datetime:
        return max((item["updateddate"] for item in self.items), default=_NEVER)


def _feed(*, filters: Sequence[str] = ()) -> Callable[[Source[P]], View[P]]:
    """Make a view of a function that returns a feed's content in the active language."""
    known = frozenset((*filters, ADDRESS))

    def make(source: Source[P]) -> View[P]:
        @require_safe
        def view(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            language = linked_language(request) or settings.LANGUAGE_CODE
            with translation.override(language):
                try:
                    check_known(request, known)
                    content = source(request, *args, **kwargs)
                except BadParameters as error:
                    return problem(400, error.errors)
                except Http404:
                    return problem(404)
                return _written(request, content, language)

        return wraps(source)(view)  # type: ignore[return-value]

    return make


@_feed(filters=tuple(Filters.model_fields))
def games(request: HttpRequest) -> Content:
    """Return the newest public games that match the filters of the search."""
    filters = read_filters(request)
    page = reverse("games:game_search") + filters.query()
    return Content(gettext("Finished games"), page, _games(filters))


@_feed()
def person(request: HttpRequest, key: str) -> Content:
    """Return a person's newest public games, if the page shows them to everyone."""
    owner = public_player(key)
    page = reverse("games:person", args=[key])
    return Content(owner.username, page, _games(GameFilters({"player": [owner.username]})))


@_feed()
def dumps(request: HttpRequest) -> Content:
    """Return the newest monthly files of public games."""
    made = Dump.objects.filter(shown__isnull=False, made_at__isnull=False)[:_ENTRIES]
    entries = [entry for dump in made if (entry := _dump_entry(dump)) is not None]
    return Content(gettext("Open game data"), reverse("games:dumps"), entries)


def _games(filters: GameFilters) -> list[Entry]:
    return [_game_entry(game) for game in find_games(filters, None, most=_ENTRIES).games]


def _game_entry(game: FoundGame) -> Entry:
    rules = gettext("House rules") if game.is_custom else wording.edition_name(game.edition)
    players = wording.players_counted(game.players)
    names = [wording.listed(game.names)] if game.names else []
    return Entry(
        title=f"{rules} · {wording.ending(game.ending)}",
        summary=" · ".join([players, *names]),
        path=reverse("games:replay", args=[game.code]),
        at=game.ended_at,
    )


def _dump_entry(dump: Dump) -> Entry | None:
    if dump.made_at is None:
        return None
    games = ngettext("%(games)s game", "%(games)s games", dump.games) % {"games": dump.games}
    return Entry(
        title=date_format(dump.month, "YEAR_MONTH_FORMAT"),
        summary=f"{games} · SHA-256 {dump.sha256}",
        path=reverse("games:dump", args=[str(dump)]),
        at=dump.made_at,
    )


def _written(request: HttpRequest, content: Content, language: str) -> HttpResponse:
    """Return the feed with an ETag.

    `Last-Modified` is for readers' information: when a name leaves, the feed changes without a
    newer entry, so only the ETag decides whether the client has it.
    """
    origin = site_origin(request)
    feed = _Atom(
        title=f"{content.title} · Chancellery",
        link=in_language(origin + content.page, language),
        description=None,
        language=language,
        feed_url=f"{origin}{request.get_full_path()}",
        feed_guid=origin + content.page,
        # RFC 4287: a feed whose entries name no author has to name one.
        author_name="Chancellery",
    )
    for entry in content.entries:
        address = origin + entry.path
        feed.add_item(
            title=entry.title,
            link=in_language(address, language),
            description=entry.summary,
            # The same entry in each language.
            unique_id=address,
            pubdate=entry.at,
            updateddate=entry.at,
        )
    written = feed.writeString("utf-8").encode()
    response = kept(request, written, feed.content_type, _SECONDS)
    response.headers["Last-Modified"] = http_date(feed.latest_post_date().timestamp())
    response.headers["Content-Language"] = language
    return response
