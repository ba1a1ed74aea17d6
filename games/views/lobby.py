"""The lobby: running and waiting tables, and buttons for a seat at once."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.devices import note_use
from games.forms import WantedForm
from games.listings import Wanted
from games.refusals import Refused
from games.rules.editions import EDITIONS
from games.screens import Panel, lobby_panels
from games.services import presence, sealing, site, tables
from games.services.finding import find_seat
from games.views.fragments import for_page, poll_answer, sign_in_first


@require_safe
@never_cache
def lobby(request: HttpRequest) -> HttpResponse:
    """Show the lobby. The filters are in the URL, so it can be bookmarked, shared and revisited."""
    wanted = _wanted(request)
    context = {
        "panels": for_page(request, _panels(request, wanted)),
        "socket_path": f"/live/lobby/{wanted.query}",
        "poll_url": reverse("games:lobby_panels") + wanted.query,
        "wanted": wanted,
        "site_note": site.why_no_tables(),
        "commitment": sealing.prepared_commitment(request.user)
        if request.user.is_authenticated
        else "",
        "wanted_form": WantedForm(wanted, is_signed_in=request.user.is_authenticated),
    }
    return render(request, "games/lobby.html", context)


def _panels(request: HttpRequest, wanted: Wanted) -> dict[str, Panel]:
    if request.user.is_authenticated:
        presence.register.glimpsed(request.user.pk, None)
    language = get_language() or ""
    return lobby_panels(request.user.pk, language, wanted, presence.people_here())


@require_safe
@never_cache
def panels(request: HttpRequest) -> HttpResponse:
    return poll_answer(request, _panels(request, _wanted(request)))


@require_POST
@never_cache
@sign_in_first
def join_best(request: HttpRequest) -> HttpResponse:
    """Take a seat at the matching table that is closest to full."""
    wanted = Wanted.read(request.POST.dict(), is_signed_in=True)
    note_use(request)
    try:
        table = find_seat(
            user=request.user,
            wanted=wanted,
            language=(get_language() or "").partition("-")[0],
            contribution_hash=request.POST.get("hash", ""),
        )
    except Refused as error:
        messages.info(request, str(error.refusal.label))
        return HttpResponseRedirect(reverse("games:lobby") + wanted.query, status=303)
    return HttpResponseRedirect(table.get_absolute_url(), status=303)


@require_POST
@never_cache
@sign_in_first
def quick_game(request: HttpRequest) -> HttpResponse:
    """Start a game with bots at once, by the rules of the user's language."""
    note_use(request)
    try:
        table = tables.quick_game(
            user=request.user,
            edition=edition_for(get_language() or ""),
            commitment=request.POST.get("commitment", ""),
            contribution_hash=request.POST.get("hash", ""),
        )
    except Refused as error:
        messages.error(request, str(error.refusal.label))
        return HttpResponseRedirect(reverse("games:lobby"), status=303)
    return HttpResponseRedirect(table.get_absolute_url(), status=303)


def edition_for(language: str) -> str:
    """Return the edition for a language: the one of that name, or else the English one."""
    name = language.partition("-")[0]
    return name if name in EDITIONS else "en"


def _wanted(request: HttpRequest) -> Wanted:
    return Wanted.read(request.GET.dict(), is_signed_in=request.user.is_authenticated)
