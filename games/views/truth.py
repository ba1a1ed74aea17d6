"""The truth about a finished game, and the evidence that its players had."""

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.profiles.languages import in_language, linked_language
from config.http.compression import hiding_nothing
from config.http.origin import site_origin
from games.panels import locale_for
from games.panels.truth import chart_of, own_ending_of, truth_page_of
from games.selectors.game_search import telling_moments_of
from games.selectors.visible_tables import invited, may_see
from games.state.rooms import Room, room_of
from games.state.sharing import is_open_to_all
from games.views.replay import number_in

# The query that opens all parts.
_UNCOVERED: Final = "?uncover=all"


@require_safe
@never_cache
def truth(request: HttpRequest, code: str) -> HttpResponse:
    """Show who lied, who voted for whom, and the evidence as `?eyes=` had it (a seat, or "").

    For those who may see the replay; 404 for all others, and while the game is hidden. Each part
    is covered until the reader uncovers it, or all of them with `?uncover=all`; those who sat
    there have seen everything when the game was over, so nothing is covered for them.
    """
    room = room_of(code)
    if room is None or room.game is None or not room.is_over:
        raise Http404
    is_tables = may_see(room, request.user.pk, invited(request.session))
    if not is_tables and not is_open_to_all(room):
        raise Http404
    path = reverse("games:truth", args=[code])
    return truth_page(
        request,
        room,
        replay_url=reverse("games:replay", args=[code]),
        share_url=f"{site_origin(request)}{path}" if is_open_to_all(room) else "",
        is_tables=is_tables,
        moments=telling_moments_of(room.game.pk),
    )


def truth_page(
    request: HttpRequest,
    room: Room,
    *,
    replay_url: str,
    share_url: str,
    is_tables: bool = False,
    moments: tuple[str, ...] = (),
    title: str = "",
    is_known: bool = False,
) -> HttpResponse:
    """Render the truth about a finished game that this request may see.

    `is_tables` says that they may see the table itself; `title` replaces the table's code, and
    `is_known` says that the reader knows the game as if they had sat there.
    `moments` lead to other games.
    """
    assert room.game is not None
    eyes = number_in(request.GET.get("eyes", ""), len(room.seats))
    language = linked_language(request)
    own_seat = room.seat_of(request.user.pk)
    sat_here = is_known or own_seat is not None
    with translation.override(locale_for(request.LANGUAGE_CODE, room.table.edition)):
        context = {
            "table": room.table,
            "seats": room.seats,
            "ended_at": room.game.ended_at,
            "page": truth_page_of(room),
            "chart": chart_of(room, eyes),
            "eyes": "" if eyes is None else eyes,
            "is_asked": "eyes" in request.GET,
            "sat_here": sat_here,
            "own_seat": None if own_seat is None else own_seat.number,
            "own": None if own_seat is None else own_ending_of(room, own_seat.number),
            "is_uncovered": sat_here or request.GET.get("uncover") == "all",
            "uncover_url": in_language(_UNCOVERED, language) if language else _UNCOVERED,
            "is_tables": is_tables,
            "moments": moments,
            "share_url": share_url,
            "replay_url": replay_url,
            "title": title,
            "unknown": room.unknown,
        }
        return hiding_nothing(render(request, "games/truth.html", context))
