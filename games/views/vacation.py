"""The page on which users begin and end a vacation from slow games."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.auth.requests import AuthenticatedHttpRequest
from games.services import vacations
from games.wording.refusals import Refusal, Refused


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def vacation(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Show the vacation that runs, or the days that are left; POST begins or ends one."""
    user = request.user
    refusal = None
    if request.method == "POST":
        try:
            if "end" in request.POST:
                vacations.end_vacation(user=user)
                messages.success(request, gettext("Welcome back. Your clock runs again."))
            else:
                vacations.begin_vacation(user=user, days=_days(request.POST.get("days", "")))
            return HttpResponseRedirect(reverse("games:vacation"), status=303)
        except Refused as error:
            refusal = error.refusal.label
    now = timezone.now()
    left = vacations.days_left(user, now)
    context = {
        "running": vacations.running_of(user, now),
        "left": left,
        "choices": range(1, left + 1),
        "refusal": refusal,
    }
    return render(request, "games/vacation.html", context, status=422 if refusal else 200)


def _days(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 3):
        raise Refused(Refusal.VACATION_SPENT)
    return int(text)
