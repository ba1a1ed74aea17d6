"""Scheduled tables: the list of those to come, a new date, and the calendar file."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from config.http.origin import site_origin
from games.forms import MoveDateForm
from games.models import Table
from games.selectors.appointments import own_appointments
from games.selectors.appointments import upcoming as read_upcoming
from games.services.appointments import move_date
from games.state.rooms import Room
from games.views.table_access import room_for
from games.wording.calendar_file import CONTENT_TYPE, CalendarEntry, calendar_file
from games.wording.refusals import Refusal, Refused

_REFUSED = 422


@dataclass(frozen=True, slots=True)
class ShownAppointment:
    """What a table's page shows of its date."""

    table: Table
    is_ahead: bool
    is_cancelled: bool
    # Whether the viewer may move the date.
    may_move: bool
    is_seated: bool


def appointment_shown(room: Room, user_pk: int | None) -> ShownAppointment | None:
    """Return what the page of a table shows of its date; None without one, and in a game."""
    table = room.table
    if table.scheduled_at is None or room.game is not None:
        return None
    if table.stage not in (Table.Stage.OPEN, Table.Stage.CLOSED):
        return None
    return ShownAppointment(
        table,
        is_ahead=table.is_ahead,
        is_cancelled=table.stage == Table.Stage.CLOSED,
        may_move=table.is_ahead and not table.is_frozen and table.host_id == user_pk,
        is_seated=room.seat_of(user_pk) is not None,
    )


@require_safe
@never_cache
def upcoming(request: HttpRequest) -> HttpResponse:
    """List the public tables with a date, a page at a time, and the user's own above them."""
    user = request.user if request.user.is_authenticated else None
    after = request.GET.get("after", "")
    context = {
        "shown": read_upcoming(user, after=after),
        "is_first": not after,
        "appointments": () if user is None or after else own_appointments(user),
    }
    return render(request, "games/upcoming.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def move(request: HttpRequest, code: str) -> HttpResponse:
    """Show the host the form for another date; POST sets it. Others get 404."""
    table = room_for(request, code).table
    user = request.user
    if table.scheduled_at is None or not user.is_authenticated or table.host_id != user.pk:
        raise Http404
    if not table.is_ahead:
        messages.error(request, str(Refusal.DATE_PASSED.label))
        return HttpResponseRedirect(table.get_absolute_url(), status=303)
    form = MoveDateForm(
        request.POST if request.method == "POST" else None,
        initial=MoveDateForm.initial_at(table.scheduled_at),
    )
    if form.is_valid():
        try:
            move_date(table=table, user=user, scheduled_at=form.cleaned_data["scheduled_at"])
        except Refused as error:
            form.add_error(None, str(error.refusal.label))
        else:
            messages.success(request, gettext("The date is set. Everyone at the table is told."))
            return HttpResponseRedirect(table.get_absolute_url(), status=303)
    context = {"form": form, "table": table, "here": request.path}
    return render(request, "games/date.html", context, status=_REFUSED if form.is_bound else 200)


@require_safe
@never_cache
def calendar(request: HttpRequest, code: str) -> HttpResponse:
    """Return the calendar file of a scheduled table to those who may see its page."""
    table = room_for(request, code).table
    if table.scheduled_at is None:
        raise Http404
    is_cancelled = table.stage == Table.Stage.CLOSED
    entry = CalendarEntry(
        code=table.code,
        edition=table.edition,
        pace=table.pace,
        url=site_origin(request) + table.get_absolute_url(),
        opened_at=table.created_at,
        scheduled_at=table.scheduled_at,
        revised_at=timezone.now(),
        # It grows with every change of the table, so calendars take the newest date.
        sequence=table.version,
        is_cancelled=is_cancelled,
    )
    response = HttpResponse(calendar_file(entry), content_type=CONTENT_TYPE)
    response["Content-Disposition"] = f'attachment; filename="chancellery-{table.code}.ics"'
    return response
