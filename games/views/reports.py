"""Reports about a player, a message, a name or a table: one page, with a button per reason."""

from collections.abc import Callable
from typing import Final

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.auth.requests import AuthenticatedHttpRequest
from accounts.models import User
from games.forms.reports import ReportForm
from games.models import Message, Report
from games.panels import MessageRow, hears_gallery, locale_for, message_rows
from games.selectors.viewer_settings import viewer_settings_of
from games.services import reports
from games.services.reports import Reported
from games.state.chat import message_of_row
from games.views.fragments import sign_in_first
from games.views.table_access import room_for
from games.wording.refusals import Refusal, Refused

_REFUSED: Final = 422
_CONFLICT: Final = 409
_MOST_LISTED: Final = 100
_LONGEST_NAME: Final = User._meta.get_field("username").max_length or 0

View = Callable[..., HttpResponse]


def _page(view: View) -> View:
    return require_http_methods(["GET", "HEAD", "POST"])(never_cache(sign_in_first(view)))


@_page
def report_seat(request: AuthenticatedHttpRequest, code: str, seat: int) -> HttpResponse:
    room = room_for(request, code)
    name = request.POST.get("called", "")
    return _report(
        request,
        lambda: reports.reported_seat(room=room, user=request.user, number=seat, name=name),
        back=room.table.get_absolute_url(),
    )


@_page
def report_message(
    request: AuthenticatedHttpRequest, code: str, place: str, nth: int
) -> HttpResponse:
    """Report a message that the user may read."""
    room = room_for(request, code)
    table = room.table
    row = table.messages.filter(place=place, nth=nth).first() if nth < 2**31 else None
    viewer_settings = viewer_settings_of(request.user.pk, table)
    seat = room.seat_of(request.user.pk)
    if row is None or row.removed_at is not None:
        raise Http404
    if place == Message.Place.GALLERY and not hears_gallery(room, seat, viewer_settings):
        raise Http404
    [shown] = message_rows(room, [message_of_row(row)], seat, viewer_settings)
    called = shown.name or gettext("Guest %(number)s") % {"number": shown.guest}
    return _report(
        request,
        lambda: reports.reported_message(room=room, user=request.user, row=row, called=called),
        back=f"{table.get_absolute_url()}#talk",
        row=shown,
    )


@_page
def report_table(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    room = room_for(request, code)
    return _report(
        request, lambda: reports.reported_table(room=room), back=room.table.get_absolute_url()
    )


@_page
def report_person(request: AuthenticatedHttpRequest, name: str) -> HttpResponse:
    """Report a user apart from any table. The page is the same if no one has the name."""
    if len(name) > _LONGEST_NAME or not name.isprintable():
        raise Http404
    return _report(
        request,
        lambda: reports.reported_profile(user=request.user, name=name),
        back=reverse("games:people"),
        has_chat=False,
    )


@require_safe
@never_cache
@sign_in_first
def own_reports(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Show what this person has reported, as they read it then, and the outcome.

    Reports of a name are left out: see `Report.objects.shown_to`.
    """
    mine = Report.objects.shown_to(request.user.pk).select_related("case")
    listed = mine.order_by("-at", "-pk")[:_MOST_LISTED]
    return render(request, "report/own_reports.html", {"reports": listed})


def _report(
    request: AuthenticatedHttpRequest,
    reported: Callable[[], Reported],
    *,
    back: str,
    row: MessageRow | None = None,
    has_chat: bool = True,
) -> HttpResponse:
    form = ReportForm(request.POST if request.method == "POST" else None, has_chat=has_chat)
    refusal, status, found = "", 200, None
    try:
        found = reported()
        if form.is_valid():
            reports.file_report(
                reporter=request.user,
                reported=found,
                reason=form.cleaned_data["reason"],
                words=form.cleaned_data["words"],
                language=request.LANGUAGE_CODE,
            )
            messages.success(request, _thanks(found))
            return HttpResponseRedirect(back, status=303)
        status = _REFUSED if form.is_bound else 200
    except Refused as error:
        if found is None and request.method != "POST" and error.refusal == Refusal.NOBODY_THERE:
            # No page links here in that case.
            raise Http404 from None
        refusal = str(error.refusal.label)
        status = _CONFLICT if error.refusal == Refusal.REPORTED_ALREADY else _REFUSED
    context = {
        "form": form,
        "reported": found,
        "row": row,
        "reasons": () if found is None else found.reasons,
        "refusal": refusal,
        "back": back,
        "here": request.path,
        "is_playing": found is not None
        and found.room is not None
        and found.room.game is not None
        and not found.room.is_over
        and found.room.seat_of(request.user.pk) is not None,
    }
    room = None if found is None else found.room
    edition = "" if room is None else room.table.edition
    with translation.override(locale_for(request.LANGUAGE_CODE, edition)):
        return render(request, "report/report.html", context, status=status)


def _thanks(reported: Reported) -> str:
    if reported.room is None:
        return gettext(
            "Thanks. If a player has that name, our moderators will take a look. You won’t "
            "hear back about this one."
        )
    return gettext("Thanks. Our moderators will take a look, and you’ll hear the outcome.")
