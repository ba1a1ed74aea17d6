"""How often moderators did what: a page for everybody."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.services.counts import counts_by_month


@require_safe
def conduct(request: HttpRequest) -> HttpResponse:
    months, rows = counts_by_month(timezone.now())
    # By month, and within it what was counted under its name.
    lines = [
        (month, [(row.counted.label, row.counts[place]) for row in rows])
        for place, month in enumerate(months)
    ]
    return render(request, "moderation/conduct.html", {"months": lines, "rows": rows})
