"""The overview of the user's own account, and the change of name."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from accounts.auth.requests import AuthenticatedHttpRequest
from accounts.auth.rights import holds_office
from accounts.services.names import BETWEEN_CHANGES, change_name, next_change
from accounts.services.notices import sends_mail

_REFUSED = 422


class NameForm(forms.Form):
    username = forms.CharField(
        label=_("New name"),
        max_length=150,
        help_text=_("3 to 20 letters or digits, in any script."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def overview(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Show all parts of the account, with links to change each of them."""
    user = request.user
    codes = Authenticator.objects.filter(user=user, type=Authenticator.Type.RECOVERY_CODES).first()
    context = {
        "address": EmailAddress.objects.get_primary(user),
        "mail_arrives": settings.MAIL_ARRIVES,
        "has_mail": sends_mail(),
        "has_factor": user.has_second_factor(),
        "needs_factor": holds_office(user),
        "codes_left": len(codes.wrap().get_unused_codes()) if codes else 0,
        "session_count": max(1, UserSession.objects.filter(user=user).count()),
        "next_change": next_change(user),
    }
    return render(request, "account/overview.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def name(request: AuthenticatedHttpRequest) -> HttpResponse:
    """GET shows the form; POST changes the name, or shows the form again with the error."""
    form = NameForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            change_name(user=request.user, name=form.cleaned_data["username"])
        except ValidationError as error:
            form.add_error("username", error)
        else:
            messages.success(request, gettext("Done! That’s your name now."))
            return redirect("account_overview")
    context = {
        "form": form,
        "next_change": next_change(request.user),
        "days": BETWEEN_CHANGES.days,
        "before": request.user.name_changes.first(),
    }
    status = _REFUSED if form.is_bound else 200
    return render(request, "account/name.html", context, status=status)
