"""The lobby: running and waiting tables, and buttons for a seat at once."""

from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.auth.devices import note_use
from accounts.auth.requests import AuthenticatedHttpRequest
from games.forms import QuickGameForm
from games.models import Level, Tempo
from games.panels import Panel, lobby_panels
from games.rules.editions import EDITIONS
from games.selectors.appointments import own_appointments, upcoming_in_lobby
from games.selectors.featured import featured_room
from games.selectors.open_tables import TableFilters, TableFilterSet
from games.selectors.own_games import own_games
from games.services import presence, sealing, site, tables
from games.services.game_requests import demand, request_of
from games.services.tables import QUICK_GAME_PLAYERS
from games.views.film import film_context
from games.views.fragments import for_page, poll_answer, sign_in_first
from games.views.game_requests import search_form
from games.views.tutorial_progress import next_step
from games.wording.refusals import Refused

# How many of the user's own games the lobby lists.
_LAST_GAMES: Final = 3
# The session's keys for the level, the tempo and the players of the last quick game.
_QUICK_LEVEL: Final = "quick_level"
_QUICK_TEMPO: Final = "quick_tempo"
_QUICK_PLAYERS: Final = "quick_players"


@require_safe
@never_cache
def lobby(request: HttpRequest) -> HttpResponse:
    """Show the lobby. The filters are in the URL, so it can be bookmarked, shared and revisited."""
    filters = _filters(request)
    context = {
        "panels": for_page(request, _panels(request, filters)),
        "socket_path": f"/live/lobby/{filters.query}",
        "poll_url": reverse("games:lobby_panels") + filters.query,
        "filters": filters,
        "site_note": site.reason_no_tables(),
        "commitment": sealing.prepared_commitment(request.user)
        if request.user.is_authenticated
        else "",
        "quick_form": QuickGameForm(
            initial={
                "players": _quick_players(request),
                "level": _quick_level(request),
                "tempo": _quick_tempo(request),
            },
            auto_id="quick_%s",
            form_id="quick-game",
        ),
        "games": own_games(request.user, most=_LAST_GAMES).games
        if request.user.is_authenticated
        else (),
        "game_request": request_of(request.user) if request.user.is_authenticated else None,
        "find_form": search_form(request),
        "demand": demand(besides=request.user.pk),
        "appointments": own_appointments(request.user) if request.user.is_authenticated else (),
        "upcoming": upcoming_in_lobby(
            request.user if request.user.is_authenticated else None, filters
        ),
        "next_lesson": next_step(request),
        "filters_form": TableFilterSet(
            request.GET, is_signed_in=request.user.is_authenticated
        ).form,
    }
    if not request.user.is_authenticated:
        context |= film_context(request, featured_room())
    return render(request, "games/lobby.html", context)


def _panels(request: HttpRequest, filters: TableFilters) -> dict[str, Panel]:
    if request.user.is_authenticated:
        presence.register.glimpsed(request.user.pk, None)
    language = get_language() or ""
    return lobby_panels(request.user.pk, language, filters, presence.people_here())


@require_safe
@never_cache
def panels(request: HttpRequest) -> HttpResponse:
    return poll_answer(request, _panels(request, _filters(request)))


@require_POST
@never_cache
@sign_in_first
def quick_game(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Start a game with bots of one level at once, by the rules of the user's language."""
    note_use(request)
    form = QuickGameForm(request.POST)
    form.is_valid()
    # Each choice counts on its own, and a missing or unknown one is the usual.
    level = form.cleaned_data.get("level") or Level.REGULAR
    tempo = form.cleaned_data.get("tempo") or Tempo.NORMAL
    players = form.cleaned_data.get("players") or QUICK_GAME_PLAYERS
    if players != _quick_players(request):
        request.session[_QUICK_PLAYERS] = players
    if level != _quick_level(request):
        request.session[_QUICK_LEVEL] = str(level)
    if tempo != _quick_tempo(request):
        request.session[_QUICK_TEMPO] = str(tempo)
    try:
        table = tables.quick_game(
            user=request.user,
            edition=edition_for(get_language() or ""),
            level=level,
            tempo=tempo,
            players=players,
            commitment=request.POST.get("commitment", ""),
            contribution_hash=request.POST.get("hash", ""),
        )
    except Refused as error:
        messages.error(request, str(error.refusal.label))
        return HttpResponseRedirect(reverse("games:lobby"), status=303)
    return HttpResponseRedirect(table.get_absolute_url(), status=303)


def _quick_level(request: HttpRequest) -> Level:
    """Return the level that the user last chose in this session."""
    level = request.session.get(_QUICK_LEVEL)
    return Level(level) if level in Level.values else Level.REGULAR


def _quick_tempo(request: HttpRequest) -> Tempo:
    """Return the tempo that the user last chose in this session."""
    tempo = request.session.get(_QUICK_TEMPO)
    return Tempo(tempo) if tempo in Tempo.values else Tempo.NORMAL


def _quick_players(request: HttpRequest) -> int:
    """Return the number of players that the user last chose in this session."""
    players = request.session.get(_QUICK_PLAYERS)
    return players if isinstance(players, int) else QUICK_GAME_PLAYERS


def edition_for(language: str) -> str:
    """Return the edition for a language: the one of that name, or else the English one."""
    name = language.partition("-")[0]
    return name if name in EDITIONS else "en"


def _filters(request: HttpRequest) -> TableFilters:
    return TableFilters.read(request.GET.dict(), is_signed_in=request.user.is_authenticated)
