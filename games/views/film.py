"""Something to watch for everyone: a running public game, or a finished one as a film."""

from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import quote_etag
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.panels import film_of
from games.selectors.featured import featured_room, running_code
from games.state.rooms import Room

# More digits than the number of stills of any film.
_DIGITS: Final = 6
_FRESH_SECONDS: Final = 600


@require_safe
@gzip_page
def film(request: HttpRequest, language: str) -> HttpResponse:
    """Return all stills of the featured game in one language, for the script of the page.

    The answer is the same for everyone and holds no secret, so any cache may keep it, and it may be
    compressed. The page adds the film's key to the address: a new film is not taken for an old one.
    """
    if language not in dict(settings.LANGUAGES):
        raise Http404
    shown = film_of(featured_room(), language)
    response = HttpResponse(shown.data, content_type="application/json")
    response.headers["ETag"] = etag = quote_etag(shown.key)
    response.headers["Content-Language"] = language
    patch_cache_control(response, public=True, max_age=_FRESH_SECONDS)
    return get_conditional_response(request, etag=etag, response=response) or response


@require_safe
@never_cache
def watch(request: HttpRequest) -> HttpResponse:
    """Go to a game to watch: a running one, else the newest replay, else the bundled film."""
    code = running_code()
    if code:
        return HttpResponseRedirect(reverse("games:table", args=[code]))
    room = featured_room()
    if room.table.code:
        path = reverse("games:replay", args=[room.table.code])
        return HttpResponseRedirect(f"{path}?move=0&eyes=")
    return render(request, "games/watch.html", film_context(request, room, first=0))


def film_context(
    request: HttpRequest, room: Room, *, first: int | None = None
) -> dict[str, object]:
    """Return what `games/_film.html` needs; `?still=` is the still to show, else `first`."""
    shown = film_of(room, request.LANGUAGE_CODE)
    asked = _number(request.GET.get("still", ""))
    number, still = shown.still(first if asked is None else asked)
    path = reverse("games:film", args=[request.LANGUAGE_CODE])
    return {
        "film": shown,
        "film_url": f"{path}?key={shown.key}",
        "still": still,
        "still_number": number,
        "still_after": (number + 1) % len(shown.stills),
        "still_before": (number - 1) % len(shown.stills),
    }


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else None
