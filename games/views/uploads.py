"""Uploaded records: sending one, replaying it, its proof, sharing it by a link, deleting it."""

from dataclasses import replace as changed
from typing import Final

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.auth.requests import AuthenticatedHttpRequest
from accounts.throttling.computing import costs_time
from config.http.origin import site_origin
from games import wording
from games.models import UploadedRecord
from games.rules.knowledge import Knowledge
from games.rules.reading import RecordError
from games.rules.record import IllegalRecord, Record
from games.selectors.own_games import game_number
from games.services import uploads
from games.state.rooms import Room
from games.state.written_games import began_at, room_of_record, shown_names, unknown_cards
from games.views.fragments import sign_in_first
from games.views.proof import proof_page
from games.views.replay import replay_page
from games.views.truth import truth_page
from games.wording.refusals import Refused

RECORDS_ON_A_PAGE: Final = 20
# An error may quote a long key.
_LONGEST_ERROR: Final = 2000


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_first
@costs_time
def page(request: AuthenticatedHttpRequest) -> HttpResponse:
    """List the user's records, newest first, from `?before=` on; POST keeps the games of a file.

    A text with an error comes back as it was sent.
    """
    if request.method != "POST":
        return _page(request)
    sent = request.FILES.get("file")
    # The request's own bound is not far above LONGEST_RECORD.
    data = (
        sent.read() if sent is not None else request.POST.get("text", "").encode("utf-8", "replace")
    )
    text = data.decode("utf-8", "replace")
    error = line = None
    if len(data) > settings.LONGEST_RECORD:
        error = _("A record has at most {size} KB.").format(size=settings.LONGEST_RECORD // 1024)
        # Its owner still has the file.
        text = "" if sent is not None else text
    elif not data.strip():
        error = _("Choose a file or paste a record.")
    else:
        try:
            kept = uploads.keep_uploads(user=request.user, data=data)
        except RecordError as found:
            error, line = wording.record_error(found), uploads.line_of(text, found.path)
        except IllegalRecord as found:
            error = wording.illegal_record(found)
            line = uploads.line_of(text, f"actions[{found.number - 1}]")
        except Refused as refused:
            error = str(refused.refusal.label)
        else:
            url = kept[0].get_absolute_url() if len(kept) == 1 else _list_url(request)
            return HttpResponseRedirect(url, status=303)
    # A quoted value may hold half of a surrogate pair, which no page can.
    error = error.encode("utf-8", "replace").decode()[:_LONGEST_ERROR]
    return _page(request, text=text, error=error, line=line, status=422)


@require_safe
@never_cache
@costs_time
def replay(request: HttpRequest, record: str) -> HttpResponse:
    kept = _found(request, record)
    is_own = kept.owner_id == request.user.pk
    room, written = _room(kept)
    return replay_page(
        request,
        room,
        reverse("games:uploaded_records" if is_own else "games:lobby"),
        proof_url=reverse("games:uploaded_proof", args=[record]) if written.seal else "",
        truth_url=reverse("games:uploaded_truth", args=[record]),
        title=_title(kept, written),
    )


@require_safe
@never_cache
@costs_time
def truth(request: HttpRequest, record: str) -> HttpResponse:
    """Show the truth about the game of a record, as `games.views.truth` does for a table.

    Its owner, who uploaded it, knows the game.
    """
    kept = _found(request, record)
    room, written = _room(kept)
    path = reverse("games:uploaded_truth", args=[record])
    return truth_page(
        request,
        room,
        replay_url=kept.get_absolute_url(),
        share_url=f"{site_origin(request)}{path}" if kept.is_shared else "",
        title=_title(kept, written),
        is_known=kept.owner_id == request.user.pk,
    )


@require_safe
@never_cache
def file(request: HttpRequest, record: str) -> HttpResponse:
    """Return the record as it was sent."""
    kept = _found(request, record)
    response = HttpResponse(kept.text, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="record-{kept.pk}.json"'
    return response


@require_safe
@never_cache
@costs_time
def proof(request: HttpRequest, record: str) -> HttpResponse:
    kept = _found(request, record)
    written = _read(kept)[0]
    return proof_page(
        request,
        written,
        title=_title(kept, written),
        record_url=reverse("games:uploaded_file", args=[record]),
        replay_url=kept.get_absolute_url(),
        is_uploaded=True,
    )


@require_POST
@never_cache
@sign_in_first
def share(request: AuthenticatedHttpRequest, record: str) -> HttpResponse:
    is_shared = "share" in request.POST
    if not uploads.share_upload(user=request.user, code=record, is_shared=is_shared):
        raise Http404
    return HttpResponseRedirect(_list_url(request), status=303)


@require_POST
@never_cache
@sign_in_first
def delete(request: AuthenticatedHttpRequest, record: str) -> HttpResponse:
    if not uploads.delete_upload(user=request.user, code=record):
        raise Http404
    messages.success(request, _("Record deleted."))
    return HttpResponseRedirect(_list_url(request), status=303)


def _list_url(request: HttpRequest) -> str:
    """Return the page of the list from which a form was sent."""
    before = game_number(request.GET.get("before", ""))
    query = "" if before is None else f"?before={before}"
    return f"{reverse('games:uploaded_records')}{query}#kept"


def _page(
    request: AuthenticatedHttpRequest,
    *,
    text: str = "",
    error: str | None = None,
    line: int | None = None,
    status: int = 200,
) -> HttpResponse:
    origin = site_origin(request)
    before = game_number(request.GET.get("before", ""))
    mine = UploadedRecord.objects.filter(owner=request.user).defer("text")
    if before is not None:
        mine = mine.filter(pk__lt=before)
    found = list(mine[: RECORDS_ON_A_PAGE + 1])
    shown = found[:RECORDS_ON_A_PAGE]
    context = {
        "text": text,
        "error": error,
        "line": line,
        "most_kilobytes": settings.LONGEST_RECORD // 1024,
        "most_games": settings.MOST_GAMES_OF_AN_UPLOAD,
        "records": [(kept, origin + kept.get_absolute_url()) for kept in shown],
        "before": before,
        "older": shown[-1].pk if len(found) > len(shown) else None,
    }
    return render(request, "games/uploads.html", context, status=status)


def _found(request: HttpRequest, code: str) -> UploadedRecord:
    """Return a record that the request may see: the owner's own, or a shared one."""
    kept = UploadedRecord.objects.filter(code=code).first()
    if kept is None or not (kept.is_shared or kept.owner_id == request.user.pk):
        raise Http404
    return kept


def _read(kept: UploadedRecord) -> tuple[Record, tuple[Knowledge, ...]]:
    try:
        (upload,) = uploads.read_uploads(kept.text.encode())
    except (RecordError, IllegalRecord):
        # It was valid by the rules of an earlier version of the site.
        raise Http404 from None
    # Names are shown, and the browser's check does not need them.
    record = upload.record
    return changed(record, seats=tuple(shown_names(record))), upload.claims


def _room(kept: UploadedRecord) -> tuple[Room, Record]:
    """Return the room of a record, and the record."""
    record, claims = _read(kept)
    room = room_of_record(
        record,
        claims,
        pk=kept.pk,
        code=kept.code[:8],
        created_at=kept.created_at,
        unknown=unknown_cards(uploads.root_of(kept)),
    )
    return room, record


def _title(kept: UploadedRecord, record: Record) -> str:
    """Return when the game was played, if the record says so, and its players."""
    played = began_at(record)
    title = _("Game of {date}: {names}") if played else _("Game uploaded on {date}: {names}")
    day = date_format(localtime(played or kept.created_at), "SHORT_DATE_FORMAT")
    return title.format(date=day, names=", ".join(record.seats))
