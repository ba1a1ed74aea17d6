"""Playing without an account: at once with bots, or at a table that takes guests."""

from collections.abc import Callable
from typing import Final

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.auth.devices import note_use
from accounts.auth.trials import begin_trial
from accounts.models import User
from accounts.site.switches import switches
from accounts.throttling.limits import Limit, hit
from accounts.throttling.too_many_requests import refuse
from config.http.client_key import address_of
from games.models import Table
from games.services import tables
from games.views.lobby import edition_for
from games.views.table_access import room_for
from games.wording.refusals import Refused

_REFUSED: Final = 422
_SEE_OTHER: Final = 303

# Seats a user at a table, opening it if need be. Raises Refused.
Sit = Callable[[User], Table]


class GuestForm(forms.Form):
    """Asks a guest for a name, which may be left out."""

    name = forms.CharField(
        label=_("Your name at the table"),
        help_text=_("Leave it empty and we’ll draw one."),
        max_length=150,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "nickname", "spellcheck": "false"}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def play_now(request: HttpRequest) -> HttpResponse:
    """GET asks a visitor for a name. POST starts a game with bots, by the rules of the language."""

    def sit(user: User) -> Table:
        return tables.quick_game(user=user, edition=edition_for(get_language() or ""))

    return _as_guest(request, sit, back=reverse("games:lobby"))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def join_as_guest(request: HttpRequest, code: str) -> HttpResponse:
    """GET asks a visitor for a name. POST takes a seat at a table."""
    table = room_for(request, code).table
    if not table.takes_guests or table.is_ahead:
        return redirect(table)

    def sit(user: User) -> Table:
        tables.join_table(table=table, user=user)
        return table

    return _as_guest(request, sit, back=table.get_absolute_url(), table=table)


def _as_guest(
    request: HttpRequest, sit: Sit, *, back: str, table: Table | None = None
) -> HttpResponse:
    """Seat the request's user, who becomes a guest if not signed in.

    `back` is where a refusal is shown.
    """
    if request.user.is_authenticated:
        if request.method != "POST":
            return redirect(back)
    else:
        form = GuestForm(request.POST if request.method == "POST" else None)
        context = {
            "form": form,
            "here": request.path,
            "is_open": switches().registration,
            "table": table,
        }
        if not (form.is_bound and form.is_valid() and context["is_open"]):
            status = _REFUSED if form.is_bound else 200
            return render(request, "games/guest.html", context, status=status)
        wait = hit(Limit.CREATIONS, f"guests:{address_of(request)}")
        if wait is not None:
            return refuse(request, wait)
        try:
            begin_trial(request, name=form.cleaned_data["name"])
        except ValidationError as error:
            form.add_error("name", error)
            return render(request, "games/guest.html", context, status=_REFUSED)
    assert request.user.is_authenticated
    note_use(request)
    try:
        found = sit(request.user)
    except Refused as error:
        messages.error(request, str(error.refusal.label))
        return HttpResponseRedirect(back, status=_SEE_OTHER)
    return HttpResponseRedirect(found.get_absolute_url(), status=_SEE_OTHER)
