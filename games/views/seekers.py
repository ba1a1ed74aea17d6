"""Playing at once: the button's form, the page of a user who waits, and the question about bots."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.auth.devices import note_use
from accounts.auth.requests import AuthenticatedHttpRequest
from games import wording
from games.forms.seekers import SearchForm
from games.models import Seeker
from games.panels.lobby import LobbyRow, listed_row
from games.rules.editions import EDITIONS
from games.selectors.open_tables import SIZES, TableFilters
from games.services import presence, seekers, site
from games.services.matchmaking import best_for_search
from games.services.seekers import PACES, Search
from games.views.fragments import go, sign_in_first
from games.wording.refusals import Refused

_REFUSED: Final = 422
# The session's key for what the user last looked for.
_SEARCH: Final = "search"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_first
def seek(request: AuthenticatedHttpRequest) -> HttpResponse:
    """GET shows how long the user waits, or the form. POST begins to look for a game.

    `?edition=`, `?players=` and `?language=` are what the form begins with.

    A guest registers first.
    """
    if request.user.is_trial:
        query = urlencode({"next": reverse("games:seek")})
        return go(request, f"{reverse('account_keep')}?{query}")
    if request.method == "POST":
        return _begin(request)
    found = _look(request)
    return found if found is not None else _page(request, search_form(request))


def _begin(request: AuthenticatedHttpRequest) -> HttpResponse:
    note_use(request)
    form = SearchForm(request.POST, search=last_search(request))
    if not form.is_valid():
        return _page(request, form, status=_REFUSED)
    search = form.search
    request.session[_SEARCH] = {
        "pace": search.pace,
        "languages": list(search.languages),
        "edition": search.edition,
        "size": search.size,
    }
    try:
        seekers.seek(
            user=request.user, search=search, contribution_hash=request.POST.get("hash", "")
        )
    except Refused as error:
        messages.error(request, str(error.refusal.label))
        return _page(request, form, status=_REFUSED)
    presence.register.glimpsed(request.user.pk, None)
    seekers.settle()
    return HttpResponseRedirect(reverse("games:seek"), status=303)


@require_safe
@never_cache
@sign_in_first
def wait(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Answer a poll of the page: how the wait goes on, or where to go instead."""
    found = _look(request)
    if found is not None:
        return found
    waiting = seekers.wait_of(request.user)
    if waiting is None:
        return go(request, reverse("games:seek"))
    context = _context(request, waiting)
    # The state is said to screen readers only when it has changed.
    context["is_news"] = request.GET.get("state") != context["state"]
    return render(request, "games/_seek_wait.html", context)


@require_POST
@never_cache
@sign_in_first
def answer(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Wait on for people, agree to play with bots, or stop looking."""
    chosen = request.POST.get("answer", "")
    if chosen == "leave":
        seekers.stop_seeking(user=request.user)
        # The user may have been seated a moment before.
        table = seekers.table_found(request.user)
        return go(request, table.get_absolute_url() if table else reverse("games:lobby"))
    if chosen == "bots":
        seekers.take_bots(user=request.user)
    elif chosen == "wait":
        seekers.wait_on(user=request.user)
    return go(request, reverse("games:seek"))


def last_search(request: HttpRequest) -> Search:
    """Return what the user last looked for in this session, or a guess from their account.

    The guess are the languages of their profile, or else the language of the site.
    """
    known = request.session.get(_SEARCH)
    if isinstance(known, Mapping):
        return _read(known)
    spoken: tuple[str, ...] = ()
    if request.user.is_authenticated:
        spoken = tuple(code for code in request.user.spoken if code in wording.SPOKEN)
    language = (get_language() or "").partition("-")[0]
    return Search(languages=spoken or ((language,) if language in wording.SPOKEN else ()))


def search_form(request: HttpRequest) -> SearchForm:
    given, search = request.GET, last_search(request)
    players = given.get("players", "")
    sizes = {str(number): key for key, size in SIZES.items() for number in size}
    if given.get("edition") in EDITIONS:
        search = replace(search, edition=given["edition"])
    if players in sizes:
        search = replace(search, size=sizes[players])
    if given.get("language") in wording.SPOKEN:
        search = replace(search, languages=(given["language"],))
    return SearchForm(search=search)


def _read(known: Mapping[str, Any]) -> Search:
    # The choices may have changed since the session stored them.
    def one(name: str, allowed: Mapping[str, Any]) -> str:
        value = known.get(name)
        return value if isinstance(value, str) and value in allowed else ""

    pace = one("pace", {pace.value: pace for pace in PACES})
    languages = tuple(code for code in known.get("languages", ()) if code in wording.SPOKEN)
    usual = Search()
    return Search(pace or usual.pace, languages, one("edition", EDITIONS), one("size", SIZES))


def _look(request: AuthenticatedHttpRequest) -> HttpResponse | None:
    """Note that the user is here, seat users who can play, and go to a table that is found."""
    presence.register.glimpsed(request.user.pk, None)
    seekers.settle_once_a_second()
    table = seekers.table_found(request.user)
    return None if table is None else go(request, table.get_absolute_url())


def _page(request: AuthenticatedHttpRequest, form: SearchForm, status: int = 200) -> HttpResponse:
    waiting = seekers.wait_of(request.user)
    context: dict[str, Any] = {"form": form, "site_note": site.reason_no_tables()}
    if waiting is not None:
        context |= _context(request, waiting)
    return render(request, "games/seek.html", context, status=status)


def _context(request: AuthenticatedHttpRequest, waiting: seekers.Wait) -> dict[str, Any]:
    minutes, seconds = divmod(waiting.seconds, 60)
    question = "asked" if waiting.is_asked else "bots" if waiting.takes_bots else "people"
    return {
        "wait": waiting,
        "minutes": minutes,
        "seconds": f"{seconds:02}",
        "state": f"{question}-{waiting.people}",
        "offer": _offer(request, waiting.seeker),
    }


def _offer(request: AuthenticatedHttpRequest, wanted: Seeker) -> LobbyRow | None:
    """Return the public table that fits best what the user waits for, if one has a seat."""
    filters = TableFilters(edition=wanted.edition, size=wanted.size, pace=wanted.pace)
    found = best_for_search(user=request.user, filters=filters, languages=wanted.languages)
    return None if found is None else listed_row(found, takes_reader=True)
