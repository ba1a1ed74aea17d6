"""The list of the user's sessions, and how to end them."""

from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Case, When
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods

from accounts.auth.requests import AuthenticatedHttpRequest
from accounts.services.sessions import end_sessions

_ON_A_PAGE = 30


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def sessions(request: AuthenticatedHttpRequest) -> HttpResponse:
    """GET lists the sessions; POST ends `session`: a number, "others" or "all" of them."""
    here = request.session.session_key
    if request.method == "POST":
        return _end(request, here)
    if not UserSession.objects.filter(session_key=here).exists():
        # The session began before sessions were recorded.
        UserSession.objects.create_from_request(request)
    # The current session comes first, then the newest; expired ones are deleted as they are listed.
    rows = UserSession.objects.filter(user=request.user).order_by(
        Case(When(session_key=here, then=0), default=1), "-created_at", "-pk"
    )
    page = Paginator(rows, _ON_A_PAGE).get_page(request.GET.get("page"))
    listed = [
        (row, row.session_key == here, _browser(row.user_agent)) for row in page if not row.purge()
    ]
    context = {"sessions": listed, "page": page}
    return render(request, "account/sessions.html", context)


def _end(request: AuthenticatedHttpRequest, here: str | None) -> HttpResponse:
    which = request.POST.get("session", "")
    if which == "all":
        end_sessions(user=request.user)
        logout(request)
        return redirect("account_login")
    if which == "others":
        ended = end_sessions(user=request.user, but=here)
    elif which.isascii() and which.isdigit() and len(which) < 19:
        ended = end_sessions(user=request.user, only=int(which), but=here)
    else:
        ended = 0
    if ended:
        told = ngettext("%(count)d session ended.", "%(count)d sessions ended.", ended)
        messages.success(request, told % {"count": ended})
    else:
        messages.info(request, gettext("No session to end. It may already be over."))
    return redirect("usersessions_list")


# The first match counts, because user agents also contain names that stand further down.
_BROWSERS = (
    *(("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet")),
    *(("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome")),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    *(("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows")),
    *(("Mac OS", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux")),
)


def _browser(agent: str) -> str:
    """Return a readable name such as "Firefox, Linux", or "" if the user agent contains none."""
    named = [
        next((name for mark, name in known if mark in agent), "") for known in (_BROWSERS, _SYSTEMS)
    ]
    return ", ".join(name for name in named if name)
