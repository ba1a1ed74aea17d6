"""The search for finished games."""

from typing import Final

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.auth.requests import HtmxRequest
from accounts.profiles.languages import linked_language
from games.forms.game_search import GameSearchForm
from games.panels.game_search import chips_of, choices_of, found_in_words
from games.selectors.game_search import Cursor, FoundGames, find_games
from games.selectors.game_text import Understood, understand
from games.selectors.own_games import RESULTS, OwnGamesFilters
from games.text.game_query import Wide

# The parameter of the button among the filters: they stay open.
_MORE: Final = "more"


@require_safe
@never_cache
def page(request: HtmxRequest) -> HttpResponse:
    """List the finished games that the viewer may find, a page at a time.

    `?q=` is a text. What it says becomes filters, by a redirect to their address, which means the
    same to readers of all languages; only the words that were not understood stay in `q`.
    If none was understood, no game is listed: none matches them. With `?more=` the filters one by
    one are open. `?before=` lists the games before a place, `?after=` those after it.
    """
    form = GameSearchForm(request.GET)
    given = form.filters()
    viewer = request.user if request.user.is_authenticated else None
    understood = understand(form.cleaned_data.get("q", ""), given, viewer, request.LANGUAGE_CODE)
    filters, left = understood.filters, {"q": understood.text}
    before = Cursor.read(request.GET.get("before", ""))
    after = Cursor.read(request.GET.get("after", "")) if before is None else None
    is_beyond = before is not None or after is not None
    if "q" in request.GET and not form.errors and not is_beyond:
        address = reverse("games:game_search") + filters.query(
            **left, more="1" if _MORE in request.GET else "", lang=linked_language(request)
        )
        if request.get_full_path() != address:
            return HttpResponseRedirect(address)
    is_lost = bool(understood.rest) and not filters
    found = FoundGames() if is_lost else find_games(filters, viewer, before=before, after=after)
    chips = [(chip, chip.without.query(**left)) for chip in chips_of(filters)]
    context = {
        "form": form,
        "filters": filters,
        "chips": chips,
        "unknown": understood.unknown,
        "wide": [
            (wide, _choices(wide, understood, viewer is not None)) for wide in understood.wide
        ],
        "told": found_in_words(found, is_beyond=is_beyond, has_filters=is_lost or bool(filters)),
        "found": found,
        # Then the chips stand where they say what to leave out.
        "is_none": bool(filters) and not found.games and not is_beyond,
        "is_beyond": is_beyond,
        "is_more_open": _MORE in request.GET or any(name != "q" for name in form.errors),
        # After a click on a chip or another page, what was clicked is gone.
        "is_focused": request.htmx and request.htmx.trigger != "search-form",
        "newest": filters.query(**left),
        "feed": reverse("games:games_feed") + filters.query(lang=request.LANGUAGE_CODE),
        "newer": filters.query(after=found.newer, **left) if found.newer is not None else None,
        "older": filters.query(before=found.older, **left) if found.older is not None else None,
    }
    response = render(request, "games/game_search.html", context)
    # It names people: search engines are not meant to keep it.
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _choices(wide: Wide, understood: Understood, is_signed_in: bool) -> list[tuple[str, str]]:
    """Return what the words may mean, each with its address."""
    others = (each.words for each in understood.wide if each is not wide)
    left = ", ".join((*others, *understood.unknown))
    search = reverse("games:game_search")
    found = [
        (choice.label, search + choice.filters.query(q=left))
        for choice in choices_of(wide, understood.filters)
    ]
    if is_signed_in and wide.name in RESULTS:
        label = gettext("My games") + ": " + pgettext("game", wide.name)
        filters = OwnGamesFilters(result=wide.name)
        found.insert(0, (label, reverse("games:own_games") + filters.query()))
    return found
