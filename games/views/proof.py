"""The proof of a finished game: its seal, checked here and in the reader's own browser."""

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.auth.requests import HtmxRequest
from config.http.compression import hiding_nothing
from games.panels import locale_for
from games.panels.proof import proof_of
from games.panels.scene import seal_shown
from games.rules.record import Record, record_json
from games.selectors.visible_tables import invited, may_see
from games.services.records import record_of
from games.views.table_access import find_room, finished_room

_PARTS: Final = ("format", "version", "edition", "options", "seats", "deal", "shuffles", "seal")


@require_safe
@never_cache
def proof(request: HttpRequest, code: str) -> HttpResponse:
    """Show the proof of a finished game to everyone who may see its replay; 404 otherwise.

    `?as=json` returns the parts of the record that it needs: the record itself is not shared with
    those who see only a shared replay.
    """
    room = finished_room(request, code)
    record = record_of(room.table)
    if request.GET.get("as") == "json":
        written = record_json(record)
        parts = {name: written[name] for name in _PARTS}
        response = JsonResponse(parts, json_dumps_params={"ensure_ascii": False, "indent": 1})
        response["Content-Disposition"] = f'attachment; filename="chancellery-{code}.json"'
        return response
    sees_table = may_see(room, request.user.pk, invited(request.session))
    return proof_page(
        request,
        record,
        title=code,
        record_url=reverse("games:record", args=[code]) if sees_table else "?as=json",
        replay_url=reverse("games:replay", args=[code]),
    )


@require_safe
@never_cache
def sealed_seats(request: HtmxRequest, code: str) -> HttpResponse:
    """List what each seat sealed, for htmx without the page around; 404 before that."""
    room = find_room(code, request.user.pk, request.session) or finished_room(request, code)
    seal = None if room.is_uploaded else seal_shown(room)
    if seal is None or not seal.seats:
        raise Http404
    template = "games/_sealed_seats.html" if request.htmx else "games/sealed_seats.html"
    with translation.override(locale_for(request.LANGUAGE_CODE, room.table.edition)):
        return render(request, template, {"seal": seal, "here": request.path})


def proof_page(
    request: HttpRequest,
    record: Record,
    *,
    title: str,
    record_url: str,
    replay_url: str,
    is_uploaded: bool = False,
) -> HttpResponse:
    with translation.override(locale_for(request.LANGUAGE_CODE, record.edition)):
        context = {
            "title": title,
            "is_uploaded": is_uploaded,
            "proof": proof_of(record),
            "record_url": record_url,
            "replay_url": replay_url,
        }
        return hiding_nothing(render(request, "games/proof.html", context))
