"""Exporting one's own data, and deleting one's account."""

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from accounts.auth.requests import AuthenticatedHttpRequest
from accounts.services.account_deletion import begin_deletion
from accounts.services.exports import KEPT_FOR, TooSoon, export_of, exports_of, request_export
from config.http.origin import site_origin


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def export(request: AuthenticatedHttpRequest) -> HttpResponse:
    """GET lists the user's exports; POST requests one."""
    if request.method == "POST":
        try:
            request_export(user=request.user, origin=site_origin(request))
        except TooSoon:
            messages.error(
                request,
                gettext(
                    "You’ve already asked for your data in the last 24 hours. Try again later."
                ),
            )
        else:
            messages.success(
                request, gettext("We’re preparing your file. It’ll appear on this page.")
            )
        return redirect("account_export")
    context = {"exports": exports_of(user=request.user), "days": KEPT_FOR.days}
    return render(request, "account/export.html", context)


@require_http_methods(["GET", "HEAD"])
@login_required
def export_file(request: AuthenticatedHttpRequest, export: str) -> HttpResponse:
    """Return the file to its owner, and 404 to all others."""
    found = export_of(user=request.user, code=export)
    if found is None:
        raise Http404
    response = HttpResponse(found.content, content_type="application/json; charset=utf-8")
    name = f"chancellery-{found.asked_at:%Y-%m-%d}.json"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
# allauth has no types.
@reauthentication_required(app="allauth.account")  # type: ignore[untyped-decorator]
def close(request: AuthenticatedHttpRequest) -> HttpResponse:
    """GET explains the deletion; POST schedules it and signs the user out everywhere."""
    if request.method != "POST":
        return render(request, "account/close.html", {"days": settings.ACCOUNT_GRACE_DAYS})
    closes_at = begin_deletion(user=request.user)
    logout(request)
    return render(request, "account/closing.html", {"closes_at": closes_at})
