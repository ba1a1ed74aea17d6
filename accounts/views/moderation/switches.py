"""The page of the site's switches."""

from typing import Final

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from accounts.auth.requests import AuthenticatedHttpRequest
from accounts.auth.roles import Rank
from accounts.moderation.forms import SwitchesForm
from accounts.services.switches import set_switches
from accounts.site.switches import forget_switches
from accounts.site.switches import switches as switches_now
from accounts.views.moderation.access import for_rank

_REFUSED: Final = 422


@require_http_methods(["GET", "HEAD", "POST"])
@for_rank(Rank.ADMIN)
def switches(request: AuthenticatedHttpRequest) -> HttpResponse:
    if request.method == "POST":
        form = SwitchesForm(request.POST)
        if form.is_valid():
            data = form.cleaned_data
            set_switches(
                actor=request.user,
                registration=data["registration"],
                tables=data["tables"],
                maintenance=data["maintenance"],
                message=form.message,
            )
            messages.success(request, gettext("Switches saved."))
            return redirect("moderation_switches")
    else:
        # Read them again: a stale form must not undo what another process has just set.
        forget_switches()
        now = switches_now()
        initial = {f"message_{language}": text for language, text in now.message.items()}
        form = SwitchesForm(
            initial={
                "registration": now.registration,
                "tables": now.tables,
                "maintenance": now.maintenance,
                **initial,
            }
        )
    status = _REFUSED if form.is_bound else 200
    context = {"section": "switches", "form": form}
    return render(request, "moderation/switches.html", context, status=status)
