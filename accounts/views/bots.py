"""The owner's page of bot accounts and their tokens."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.auth.requests import AuthenticatedHttpRequest
from accounts.services.bots import (
    LONGEST_NAME,
    bots_of,
    create_bot,
    delete_bot,
    renew_token,
    revoke_token,
)

_REFUSED = 422


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def bots(request: AuthenticatedHttpRequest) -> HttpResponse:
    """GET lists the bots. POST makes one, deletes `bot`, or makes or revokes its token.

    The answer to a POST that makes a token is the only page that ever shows it.
    """
    token, error, status = "", "", 200
    if request.method == "POST":
        pk = request.POST.get("bot", "")
        if pk.isascii() and pk.isdigit() and len(pk) < 19:
            if request.POST.get("what") == "delete":
                if delete_bot(owner=request.user, pk=int(pk)):
                    messages.success(request, gettext("The bot is deleted."))
                return redirect("account_bots")
            if request.POST.get("what") == "revoke":
                if revoke_token(owner=request.user, pk=int(pk)):
                    messages.success(request, gettext("The token no longer works."))
                return redirect("account_bots")
            token = renew_token(owner=request.user, pk=int(pk)) or ""
        else:
            try:
                _, token = create_bot(owner=request.user, name=request.POST.get("name", ""))
            except ValidationError as refused:
                error, status = " ".join(refused.messages), _REFUSED
    context = {
        "bots": bots_of(request.user),
        "token": token,
        "error": error,
        "name": request.POST.get("name", "") if error else "",
        "longest": LONGEST_NAME,
    }
    return render(request, "account/bots.html", context, status=status)
