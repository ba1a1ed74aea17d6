"""The page that shows the audit."""

from typing import Final

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from accounts.auth.requests import AuthenticatedHttpRequest
from accounts.auth.roles import Rank
from accounts.moderation.act_labels import act_label
from accounts.moderation.audit_fields import audit_fields_of
from accounts.services.audit import entries_for
from accounts.views.moderation.access import for_rank

_ON_A_PAGE: Final = 50


@require_safe
@for_rank(Rank.SENIOR)
def audit(request: AuthenticatedHttpRequest) -> HttpResponse:
    """List the entries, newest first; `q` searches for an act, a user, a table or a number."""
    words = request.GET.get("q", "")[:150]
    page = Paginator(entries_for(request.user, words), _ON_A_PAGE).get_page(request.GET.get("page"))
    rows = [(entry, act_label(entry.act), audit_fields_of(entry.act, entry.data)) for entry in page]
    context = {
        "section": "audit",
        "page": page,
        "rows": rows,
        "words": words,
        "query": f"&{urlencode({'q': words})}" if words else "",
    }
    return render(request, "moderation/audit.html", context)
