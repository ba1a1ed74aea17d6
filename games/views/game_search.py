"""The search for finished games."""

from dataclasses import replace
from typing import Final

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.auth.requests import HtmxRequest
from accounts.profiles.languages import is_language, linked_language
from games.forms.game_search import GameSearchForm
from games.panels.game_search import chips_of, choices_of, examples, found_in_words
from games.selectors.game_filters import MOST_NAMES, PLAYER_FILTERS, PLAYER_RESULTS, GameFilters
from games.selectors.game_search import Cursor, FoundGames, find_games
from games.selectors.game_suggestions import suggested_names, suggestions
from games.selectors.game_text import (
    OWN,
    Understood,
    may_be_player,
    meant_instead,
    read_alike,
    understand,
)
from games.selectors.game_text_edits import (
    changed_by_hand,
    rewritten,
    with_one,
    with_player,
    without_words,
)
from games.selectors.own_games import OwnGamesFilters
from games.text.game_query import Wide
from games.text.query_clashes import Clash
from games.text.query_phrases import LONGEST_QUERY, completes

# The parameter of the button among the filters: they stay open.
_MORE: Final = "more"
# The parameter of the language in which the text is read.
_WORDS: Final = "words"
# The parameter of the words that found nothing, in whose place others stand.
_INSTEAD_OF: Final = "asked"


@require_safe
@never_cache
def page(request: HtmxRequest) -> HttpResponse:
    """List the finished games that the viewer may find, a page at a time.

    `?q=` is a text, which stays as it was typed; other filters stand beside it in the address.
    `?words=` is the language in which it is read, unless English means the same. For readers of
    another language, what it says becomes filters, by a redirect to their address; so does what
    the form says, of which `?was=` is the text before, and `?had=` the filters that it showed.
    `?name=` adds a player, in place of the one in `?named=`. If no word is a filter, because none
    was understood or they contradict each other, no game is listed: none matches them. With
    `?more=` the filters one by one are open. `?before=` lists the games before a place, `?after=`
    those after it. Where words find nothing, and others that are like them find games, these are
    shown: `?asked=` are the words as they were typed.
    """
    form = GameSearchForm(request.GET)
    given = form.filters()
    viewer = request.user if request.user.is_authenticated else None
    typed, language = form.cleaned_data.get("q", ""), request.LANGUAGE_CODE
    if "was" in request.GET and not form.errors:
        was = request.GET["was"][:LONGEST_QUERY]
        had = request.GET.get("had")
        shown = None if had is None else GameSearchForm(QueryDict(had)).filters()
        typed, given = changed_by_hand(typed, was, given, viewer, language, shown)
    name, named = form.cleaned_data.get("name", ""), request.GET.get("named", "")[:LONGEST_QUERY]
    if name != named and not form.errors:
        if name and not may_be_player(name, viewer):
            form.add_error("name", gettext("No player of this name shares games with you."))
        else:
            read = understand(typed, given, viewer, language)
            typed, given = with_player(read, named, name, given, viewer)
    written_in = request.GET.get(_WORDS, "")
    is_foreign = is_language(written_in) and not read_alike(typed, written_in, language)
    understood = understand(typed, given, viewer, written_in if is_foreign else language)
    if is_foreign:
        typed = understood.text
        understood = understand(typed, understood.filters, viewer, language)
    asked = request.GET.get(_INSTEAD_OF, "")[:LONGEST_QUERY]
    before = Cursor.read(request.GET.get("before", ""))
    after = Cursor.read(request.GET.get("after", "")) if before is None else None
    is_beyond = before is not None or after is not None
    filters, beside = understood.filters, understood.beside
    if understood.unknown and not filters.names:
        # One of these words may be a player whose result and role are meant.
        beside = replace(beside, **{each: getattr(given, each) for each in PLAYER_FILTERS})
    elif (
        given.has(*PLAYER_FILTERS)
        and not filters.names
        and "name" in request.GET
        and "name" not in form.errors
    ):
        form.add_error("name", gettext("Choose a player first."))
    if not request.GET.keys().isdisjoint(("q", "name")) and not form.errors and not is_beyond:
        address = reverse("games:game_search") + _query(
            typed,
            beside,
            language,
            more="1" if _MORE in request.GET else "",
            lang=linked_language(request),
            **{_INSTEAD_OF: asked},
        )
        if request.get_full_path() != address:
            return HttpResponseRedirect(address)
    is_asked = bool(typed or filters or is_beyond)
    is_lost = bool(understood.rest or understood.clashes) and not filters
    found = (
        FoundGames()
        if is_lost
        else find_games(filters, viewer, before=before, after=after, is_counted=not is_beyond)
    )
    if after is not None and found.games and found.newer is None:
        # The newest games have one address.
        newest = reverse("games:game_search") + _query(typed, beside, language)
        return HttpResponseRedirect(newest)
    chips = [
        (chip, _query(*rewritten(understood, chip.without), language)) for chip in chips_of(filters)
    ]
    shown_form = form if form.errors else _shown(typed, filters, beside)
    meant = meant_instead(understood, viewer, is_found=bool(found.games))
    if not (asked or is_beyond or understood.clashes) and len(meant) == 1:
        text = meant[0][1]
        instead = understand(text, beside, viewer, language)
        is_whole = not instead.rest or not found.games
        if is_whole and instead.filters and find_games(instead.filters, viewer, most=1).games:
            query = _query(text, beside, language, **{_INSTEAD_OF: typed})
            return HttpResponseRedirect(reverse("games:game_search") + query)
    # A mended word may be the one that tells which meaning is meant.
    said = {OWN, "won"} if filters.winner else {OWN}
    wide = [each for each in understood.wide if each.name not in said and not meant]
    is_own = viewer is not None and any(each.name == OWN for each in understood.wide)
    own = [each.words for each in understood.wide if each.name == OWN and not is_own]
    context = {
        "form": shown_form,
        "was": typed,
        # The player whose name the filters show.
        "named": filters.names[0] if len(filters.names) == 1 else "",
        "had": filters.without("names").query().removeprefix("?"),
        "filters": filters,
        # A name in the list is searched for beside all else, as far as so many are possible.
        "beside_names": _query(typed, beside, language) if len(filters.names) < MOST_NAMES else "",
        "chips": chips,
        # The only chip leads to all games itself.
        "is_several": len(chips) > 1 or bool(understood.rest or understood.clashes),
        # Then a phone shows less above the games, and nothing offers examples.
        "is_asked": is_asked,
        "examples": []
        if is_asked and (filters or found.games or meant)
        else [
            (words, reverse("games:game_search") + _query(words, GameFilters(), language))
            for words, _filters in examples()
        ],
        "unknown": (*understood.unknown, *own),
        "is_own": is_own,
        "asked": asked if found.games else "",
        # The page tells of a mended word, but not of a completed one: "bor" for Boris.
        "is_begun": completes(typed, asked),
        "leaves_out": any(part.is_unwanted for part in understood.parts),
        "meant": [
            (words, reverse("games:game_search") + _query(text, beside, language))
            for words, text in meant
        ],
        "wide": [(each, _choices(each, understood, viewer is not None)) for each in wide],
        "clashes": [_values(clash, understood) for clash in understood.clashes],
        "told": found_in_words(
            found,
            is_beyond=is_beyond,
            has_filters=is_lost or bool(filters),
            is_open=is_lost and bool(wide or understood.clashes),
        ),
        "found": found,
        # Then the chips stand where they say what to leave out.
        "is_none": bool(filters) and not found.games and not is_beyond,
        "is_beyond": is_beyond,
        "is_more_open": _MORE in request.GET or any(name != "q" for name in form.errors),
        # After a click on a chip or another page, what was clicked is gone.
        "is_focused": request.htmx and request.htmx.trigger != "search-form",
        "newest": _query(typed, beside, language),
        "feed": reverse("games:games_feed") + filters.query(lang=request.LANGUAGE_CODE),
        "newer": _query(typed, beside, language, after=found.newer) if found.newer else None,
        "older": _query(typed, beside, language, before=found.older) if found.older else None,
    }
    response = render(request, "games/game_search.html", context)
    # It names people: search engines are not meant to keep it.
    response.headers["X-Robots-Tag"] = "noindex"
    return response


@require_safe
@never_cache
def suggested(request: HtmxRequest) -> HttpResponse:
    """Return suggestions that complete the text in `?q=`; with `?names=` players' names alone."""
    viewer = request.user if request.user.is_authenticated else None
    text = request.GET.get("q", "")[:LONGEST_QUERY]
    found = (
        suggested_names(text, viewer)
        if "names" in request.GET
        else suggestions(text, viewer, request.LANGUAGE_CODE)
    )
    context = {"suggestions": found}
    response = render(request, "games/_search_suggestions.html", context)
    # It names people.
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _query(typed: str, beside: GameFilters, language: str, **more: object) -> str:
    """Return the query string of a text and the filters beside it."""
    is_english = read_alike(typed, language, "en")
    return beside.query(q=typed, words="" if is_english else language, **more)


def _shown(typed: str, filters: GameFilters, beside: GameFilters) -> GameSearchForm:
    """Return the form with all filters, also those that the text says; names stand in the text."""
    name = filters.names[0] if len(filters.names) == 1 else ""
    query = replace(filters, names=beside.names).query(q=typed, name=name)
    return GameSearchForm(QueryDict(query.removeprefix("?")))


def _values(clash: Clash, understood: Understood) -> list[tuple[str, str]]:
    """Return the words of each value that contradicts others, and its address without them."""
    words = {part.terms: understood.words_of(part) for part in reversed(clash.parts)}
    found = []
    for value in clash.values:
        text, beside = with_one(understood, clash, value)
        address = reverse("games:game_search") + _query(text, beside, understood.language)
        found.append((words[value], address))
    return found


def _choices(wide: Wide, understood: Understood, is_signed_in: bool) -> list[tuple[str, str]]:
    """Return what the words may mean, each with its address."""
    text, beside = without_words(understood, wide.words)
    search = reverse("games:game_search")
    found = [
        (choice.label, search + _query(text, choice.filters, understood.language))
        for choice in choices_of(wide, beside)
    ]
    if is_signed_in and wide.name in PLAYER_RESULTS:
        label = gettext("My games") + ": " + pgettext("game", wide.name)
        filters = OwnGamesFilters(result=wide.name)
        found.insert(0, (label, reverse("games:own_games") + filters.query()))
    return found
