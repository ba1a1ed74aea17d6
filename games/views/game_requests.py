"""Finding a game: the form, the page of a user who waits, and the way out."""

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
from django.views.decorators.http import require_http_methods

from accounts.auth.devices import note_use
from accounts.auth.requests import AuthenticatedHttpRequest
from games import wording
from games.forms.game_requests import GameRequestForm
from games.selectors.open_tables import SIZES
from games.services import game_requests, presence, seating, site
from games.services.game_requests import PACES, How, Search
from games.views.fragments import go, sign_in_first
from games.wording.refusals import Refused

_REFUSED: Final = 422
# The session's keys for what the user last looked for, and whether bots may fill the table.
_SEARCH: Final = "search"
_BOTS: Final = "search_takes_bots"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_first
def find_game(request: AuthenticatedHttpRequest) -> HttpResponse:
    """GET shows the form, or how the user waits. POST looks for a game, or goes on or ends.

    `?players=` and `?language=` are what the form begins with. `?state=` is what a page that polls
    shows: it gets only what is new.

    A guest registers first.
    """
    if request.user.is_trial:
        query = urlencode({"next": reverse("games:find_game")})
        return go(request, f"{reverse('account_keep')}?{query}")
    if request.method == "POST":
        return _answer(request) if "answer" in request.POST else _begin(request)
    presence.register.glimpsed(request.user.pk, None)
    seating.settle_once_a_second()
    table = game_requests.table_found(request.user)
    if table is not None:
        return go(request, table.get_absolute_url())
    wait = game_requests.wait_of(request.user)
    if not request.htmx:
        return _page(request, search_form(request), wait)
    if wait is None:
        return go(request, reverse("games:find_game"))
    context = _context(wait)
    # The state is said to screen readers only when it has changed.
    context["is_news"] = request.GET.get("state") != context["state"]
    return render(request, "games/_game_wait.html", context)


def _begin(request: AuthenticatedHttpRequest) -> HttpResponse:
    note_use(request)
    form = GameRequestForm(request.POST, search=last_search(request))
    try:
        if not form.is_valid():
            return _page(request, form, game_requests.wait_of(request.user), status=_REFUSED)
        search, takes_bots = form.search, form.cleaned_data["takes_bots"]
        request.session[_SEARCH] = {
            "pace": search.pace,
            "languages": list(search.languages),
            "size": search.size,
        }
        if form.chosen_how == How.SEAT:
            request.session[_BOTS] = takes_bots
        game_requests.request_game(
            user=request.user,
            search=search,
            how=form.chosen_how,
            takes_bots=takes_bots,
            contribution_hash=request.POST.get("hash", ""),
        )
    except Refused as error:
        messages.error(request, str(error.refusal.label))
        return _page(request, form, game_requests.wait_of(request.user), status=_REFUSED)
    presence.register.glimpsed(request.user.pk, None)
    seating.settle_once_a_second()
    return HttpResponseRedirect(reverse("games:find_game"), status=303)


def _answer(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Play with bots now, or stop looking."""
    if request.POST["answer"] == "bots":
        game_requests.take_bots(user=request.user)
        return go(request, reverse("games:find_game"))
    game_requests.withdraw(user=request.user)
    # The user may have been seated a moment before.
    table = game_requests.table_found(request.user)
    return go(request, table.get_absolute_url() if table else reverse("games:lobby"))


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


def search_form(request: HttpRequest) -> GameRequestForm:
    """Return the form with the choices of the address, of the last search, or the usual ones."""
    given, search = request.GET, last_search(request)
    sizes = {str(number): key for key, size in SIZES.items() for number in size}
    if given.get("players") in sizes:
        search = replace(search, size=sizes[given["players"]])
    if given.get("language") in wording.SPOKEN:
        search = replace(search, languages=(given["language"],))
    return GameRequestForm(search=search, takes_bots=request.session.get(_BOTS) is not False)


def _read(known: Mapping[str, Any]) -> Search:
    # The choices may have changed since the session stored them.
    pace, size = known.get("pace"), known.get("size")
    return Search(
        pace=pace if pace in ("", *PACES) else Search().pace,
        languages=tuple(code for code in known.get("languages", ()) if code in wording.SPOKEN),
        size=size if size in SIZES else "",
    )


def _page(
    request: AuthenticatedHttpRequest,
    form: GameRequestForm,
    wait: game_requests.Wait | None,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {"form": form, "site_note": site.reason_no_tables()}
    if wait is not None:
        context |= _context(wait)
    else:
        context["game_request"] = game_requests.request_of(request.user)
    return render(request, "games/find_game.html", context, status=status)


def _context(wait: game_requests.Wait) -> dict[str, Any]:
    minutes, seconds = divmod(wait.seconds, 60)
    takes_bots = wait.request.bots_at is not None
    question = (
        "bots" if wait.bots_come else "asked" if wait.is_long and not takes_bots else "people"
    )
    return {
        "wait": wait,
        "game_request": wait.request,
        "offered": seating.table_offered(wait.request),
        "minutes": minutes,
        "seconds": f"{seconds:02}",
        "question": question,
        "state": f"{question}-{wait.people}",
    }
