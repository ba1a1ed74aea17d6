"""Taking a seat by registering: the button of a table for visitors and guests."""

from typing import Any
from urllib.parse import urlsplit

from allauth.account.signals import password_set, user_logged_in
from django.contrib import messages
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.auth.devices import note_use
from accounts.models import User
from games.services import tables
from games.views.table_access import room_for
from games.wording.refusals import Refusal, Refused


@require_safe
@never_cache
def take_seat(request: HttpRequest, code: str) -> HttpResponse:
    """Go to the table. The sign-in that leads here has taken the seat; a link takes none."""
    return redirect(room_for(request, code).table)


@receiver(user_logged_in, dispatch_uid="games.seat_arrival")
def _seat_arrival(
    sender: Any, request: HttpRequest, response: HttpResponse, user: User, **kwargs: Any
) -> None:
    """Seat a user who has just registered or signed in on the way to `take_seat`.

    The form that they sent is a POST with a CSRF token, so no link alone seats anyone. A refusal
    is shown at the table.
    """
    _sit_at(response.headers.get("Location", ""), request, user)


@receiver(password_set, dispatch_uid="games.seat_kept")
def _seat_kept(sender: Any, request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Seat a guest who has just registered on the way to `take_seat`."""
    if request.resolver_match is not None and request.resolver_match.url_name == "account_keep":
        _sit_at(request.POST.get("next", ""), request, user)


def _sit_at(address: str, request: HttpRequest, user: User) -> None:
    """Take a seat at the table of this address, if it is one of `take_seat`."""
    try:
        found = resolve(urlsplit(address).path)
        if found.func is not take_seat:
            return
        table = room_for(request, found.kwargs["code"]).table
    except (Resolver404, Http404):
        return
    if table.is_ahead:
        # Whether one comes on that day is a question of its own.
        return
    note_use(request)
    try:
        tables.join_table(table=table, user=user)
    except Refused as error:
        if error.refusal != Refusal.ALREADY_SEATED:
            messages.error(request, str(error.refusal.label))
