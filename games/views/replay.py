"""Views of a finished game, move by move."""

from typing import Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.auth.requests import AuthenticatedHttpRequest
from config.http.compression import hiding_nothing
from config.http.origin import site_origin
from games.panels import EVERYONE, Eyes, locale_for, replay_of
from games.panels.notes import notes_shown
from games.panels.truth import chart_of
from games.selectors.viewer_settings import viewer_settings_of
from games.selectors.visible_tables import invited, may_see
from games.services import notes
from games.services.sharing import allow_sharing
from games.state.rooms import Room, room_of
from games.state.sharing import asked_for_consent, is_open_to_all, needs_consent
from games.views.fragments import for_page, sign_in_first
from games.views.table_access import room_for
from games.wording.refusals import Refused

# More digits than the number of moves in any game.
_DIGITS: Final = 6


@require_safe
@never_cache
def replay(request: HttpRequest, code: str) -> HttpResponse:
    """Show the table after `?move=` moves, as `?eyes=` saw it: a seat, a spectator (""), or "all".

    For a player of the game the default is their own seat. Invalid moves and seats are ignored. 404
    while the game is hidden. A private game that all its players share is open to everyone, without
    its chat.
    """
    room = room_of(code)
    if room is None:
        raise Http404
    proof_url = reverse("games:proof", args=[code])
    truth_url = reverse("games:truth", args=[code])
    if may_see(room, request.user.pk, invited(request.session)):
        return replay_page(request, room, is_tables=True, proof_url=proof_url, truth_url=truth_url)
    if not is_open_to_all(room):
        raise Http404
    back_url = reverse("games:lobby")
    return replay_page(request, room, back_url, proof_url=proof_url, truth_url=truth_url)


@require_POST
@never_cache
@sign_in_first
def share(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """Give or take back a player's consent to share the replay of a private game.

    The answer leads back to the step and the perspective from which the form was sent.
    """
    table = room_for(request, code).table
    try:
        allow_sharing(table=table, user=request.user, is_allowed="allow" in request.POST)
    except Refused as error:
        messages.error(request, str(error.refusal.label))
        return HttpResponseRedirect(table.get_absolute_url(), status=303)
    if request.htmx:
        # The page where the game ended has copied the link already.
        return HttpResponse(status=204)
    place = {name: request.POST[name] for name in ("move", "eyes") if name in request.POST}
    query = f"?{urlencode(place)}" if place else ""
    address = f"{reverse('games:replay', args=[code])}{query}#sharing"
    return HttpResponseRedirect(address, status=303)


def replay_page(
    request: HttpRequest,
    room: Room,
    back_url: str = "",
    *,
    is_tables: bool = False,
    proof_url: str = "",
    truth_url: str = "",
    title: str = "",
) -> HttpResponse:
    """Render the replay of a game that this request may see.

    `back_url` is where the user came from, if that is not the table. `is_tables` says that they may
    see the table itself: its chat, and links to it. `title` replaces the table's code:
    the game of an uploaded record had no table here. Raises Http404 while the game is hidden.
    """
    if room.game is None or not room.is_over:
        raise Http404
    table, own = room.table, room.seat_of(request.user.pk)
    eyes: Eyes = None if own is None else own.number
    if "eyes" in request.GET:
        eyes = _eyes(request.GET["eyes"], len(room.seats))
    move = _number(request.GET.get("move", "")) or 0
    with translation.override(locale_for(request.LANGUAGE_CODE, table.edition)):
        shown = replay_of(
            room,
            move,
            eyes,
            request.LANGUAGE_CODE,
            own=None if own is None else own.number,
            viewer_settings=viewer_settings_of(request.user.pk, table) if is_tables else None,
            sees_table=is_tables,
        )
        context = {
            "table": table,
            "seats": room.seats,
            "replay": shown,
            "back_url": back_url,
            "proof_url": proof_url,
            "title": title,
            "unknown": room.unknown,
            "eyes": "" if eyes is None else eyes,
            "panels": for_page(request, shown.panels),
            "chart": chart_of(room, eyes if isinstance(eyes, int) else None, shown.move),
            "names": tuple(seat.name for seat in room.seats),
            "truth_url": truth_url,
            # The chart's steps are steps of this page.
            "replay_url": request.path,
        }
        if is_tables:
            context |= _sharing(request, room, shown.move, eyes)
        is_noted = False
        if own is not None:
            assert request.user.is_authenticated
            note = notes.notes_of(table=table, user=request.user)
            noted = notes_shown(room, request.user.pk, note)
            context["notes"] = noted
            is_noted = not noted.is_empty
        page = render(request, "games/replay.html", context)
    return page if is_noted else hiding_nothing(page)


def _sharing(request: HttpRequest, room: Room, move: int, eyes: Eyes) -> dict[str, object]:
    """Return the link to this step, or who still has to allow it."""
    own = room.seat_of(request.user.pk)
    asked = asked_for_consent(room)
    query = urlencode({"move": move, "eyes": "" if eyes is None else eyes})
    path = reverse("games:replay", args=[room.table.code])
    return {
        "share_url": f"{site_origin(request)}{path}?{query}" if is_open_to_all(room) else "",
        "needs_consent": needs_consent(room),
        "may_be_shared": bool(asked),
        "is_asked": own is not None,
        "own_consent": own is not None and own.shares_replay,
        "missing_consent": tuple(seat.name for seat in asked if not seat.shares_replay),
    }


def _eyes(text: str, seats: int) -> Eyes:
    if text == EVERYONE:
        return EVERYONE
    return number_in(text, seats)


def number_in(text: str, end: int) -> int | None:
    """Return a number from a URL, if it is one below `end`."""
    number = _number(text)
    return number if number is not None and number < end else None


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else None
