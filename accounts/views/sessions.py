"""Where one is signed in, and how to end it there."""

from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods

from accounts.services.entries import sessions_end


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def sessions(request: HttpRequest) -> HttpResponse:
    """GET lists them; POST ends `session` (a number), or "others", or "all" of them."""
    here = request.session.session_key
    if request.method == "POST":
        return _end(request, here)
    if not UserSession.objects.filter(session_key=here).exists():
        # It began before sessions were listed.
        UserSession.objects.create_from_request(request)
    rows = UserSession.objects.purge_and_list(request.user)
    rows.sort(key=lambda row: (row.session_key != here, -row.created_at.timestamp()))
    listed = [(row, row.session_key == here, _browser(row.user_agent)) for row in rows]
    return render(request, "account/sessions.html", {"sessions": listed})


def _end(request: HttpRequest, here: str) -> HttpResponse:
    which = request.POST.get("session", "")
    if which == "all":
        sessions_end(user=request.user)
        logout(request)
        return redirect("account_login")
    if which == "others":
        ended = sessions_end(user=request.user, but=here)
    elif which.isascii() and which.isdigit() and len(which) < 19:
        ended = sessions_end(user=request.user, only=int(which), but=here)
    else:
        ended = 0
    if ended:
        told = ngettext("%(count)d session was ended.", "%(count)d sessions were ended.", ended)
        messages.success(request, told % {"count": ended})
    else:
        messages.info(request, gettext("There was no such session, or it had ended already."))
    return redirect("usersessions_list")


# The first that fits: each names itself as those before it, too.
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
    """What a person calls it: "Firefox, Linux". "" where it does not say."""
    named = [
        next((name for mark, name in known if mark in agent), "") for known in (_BROWSERS, _SYSTEMS)
    ]
    return ", ".join(name for name in named if name)
