"""Views of a finished game, move by move."""

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.panels import locale_for, replay_of
from games.panels.notes import notes_shown
from games.services import notes
from games.state.rooms import Room
from games.views.fragments import for_page
from games.views.table_access import room_for

# More digits than the number of moves in any game.
_DIGITS: Final = 6


@require_safe
@never_cache
def replay(request: HttpRequest, code: str) -> HttpResponse:
    """Show the table after `?move=` moves, as the seat `?eyes=` saw it, or a spectator ("").

    For a player of the game the default is their own seat. Invalid moves and seats are ignored. 404
    while the game is hidden.
    """
    return replay_page(request, room_for(request, code))


def replay_page(request: HttpRequest, room: Room, back_url: str = "") -> HttpResponse:
    """Render the replay of a table that this request may see.

    `back_url` is where the user came from, if that is not the table. Raises Http404 while the game
    is hidden.
    """
    if room.game is None or not room.is_over:
        raise Http404
    table, own = room.table, room.seat_of(request.user.pk)
    eyes = None if own is None else own.number
    if "eyes" in request.GET:
        eyes = _number(request.GET["eyes"])
        eyes = eyes if eyes is not None and eyes < len(room.seats) else None
    move = _number(request.GET.get("move", "")) or 0
    with translation.override(locale_for(request.LANGUAGE_CODE, table.edition)):
        shown = replay_of(
            room, move, eyes, request.LANGUAGE_CODE, own=None if own is None else own.number
        )
        context = {
            "table": table,
            "seats": room.seats,
            "replay": shown,
            "back_url": back_url,
            "eyes": "" if eyes is None else eyes,
            "panels": for_page(request, shown.panels),
        }
        if own is not None:
            assert request.user.is_authenticated
            note = notes.notes_of(table=table, user=request.user)
            context["notes"] = notes_shown(room, request.user.pk, note)
        return render(request, "games/replay.html", context)


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else None
