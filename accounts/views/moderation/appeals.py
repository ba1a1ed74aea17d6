"""The list of appeals, and the page on which a moderator decides one."""

from typing import Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from accounts.auth.requests import AuthenticatedHttpRequest
from accounts.auth.roles import Rank
from accounts.models import Appeal
from accounts.moderation.forms import DecisionForm
from accounts.moderation.refusals import ModerationRefusal, ModerationRefused
from accounts.services.appeals import decide_appeal, may_decide
from accounts.views.moderation.access import for_rank

_REFUSED: Final = 422
_GONE_ON: Final = 409
_ON_A_PAGE: Final = 50


@require_safe
@for_rank(Rank.MODERATOR)
def appeals(request: HttpRequest) -> HttpResponse:
    """List open appeals, oldest first; with `?all=1`, decided ones, newest first."""
    is_decided = request.GET.get("all") == "1"
    rows = Appeal.objects.select_related("sanction__user", "sanction__by", "decided_by")
    if is_decided:
        rows = rows.filter(decided_at__isnull=False).order_by("-decided_at")
    else:
        rows = rows.filter(decided_at=None)
    page = Paginator(rows, _ON_A_PAGE).get_page(request.GET.get("page"))
    context = {"section": "appeals", "page": page, "is_decided": is_decided}
    return render(request, "moderation/appeals.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_rank(Rank.MODERATOR)
def appeal(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    rows = Appeal.objects.select_related("sanction__user", "sanction__by", "decided_by")
    row = get_object_or_404(rows, pk=pk)
    may = may_decide(actor=request.user, sanction=row.sanction)
    form, status = None, 200
    if may:
        bound = request.POST if request.method == "POST" else None
        form = DecisionForm(bound, person=row.sanction.user)
    if request.method == "POST":
        status = _REFUSED
        if form is not None and form.is_valid():
            try:
                decide_appeal(actor=request.user, appeal=row, **form.cleaned_data)
            except ModerationRefused as error:
                status = _GONE_ON if error.refusal == ModerationRefusal.DECIDED else _REFUSED
                form.add_error(None, str(error.refusal.label))
            else:
                messages.success(request, gettext("Appeal decided."))
                return redirect("moderation_appeals")
    context = {
        "section": "appeals",
        "appeal": row,
        "form": form if row.decided_at is None or status != 200 else None,
        "is_own": row.sanction.by_id == request.user.pk,
    }
    return render(request, "moderation/appeal.html", context, status=status)
