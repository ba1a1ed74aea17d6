"""Registration of a guest, who keeps the seat and the games."""

from allauth.account.signals import password_set
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.auth.passwords import HELP
from accounts.auth.requests import AuthenticatedHttpRequest
from accounts.services.trials import keep_trial
from accounts.site.switches import switches
from accounts.views.sign_in import way_back

_REFUSED = 422


class KeepForm(forms.Form):
    """Asks a guest for the name and the password of the account."""

    username = forms.CharField(
        label=_("Name"),
        max_length=150,
        help_text=_("3 to 20 letters or digits, in any script."),
        widget=forms.TextInput(attrs={"autocomplete": "username", "spellcheck": "false"}),
    )
    password = forms.CharField(
        label=_("Password"),
        max_length=1000,
        strip=False,
        help_text=HELP,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def keep(request: AuthenticatedHttpRequest) -> HttpResponse:
    """GET shows the form; POST registers the guest and returns to `next`, or shows the errors."""
    user = request.user
    if not user.is_trial:
        return redirect("account_overview")
    is_open = switches().registration
    form = KeepForm(
        request.POST if request.method == "POST" else None, initial={"username": user.username}
    )
    if form.is_bound and is_open and form.is_valid():
        try:
            kept = keep_trial(
                user=user,
                name=form.cleaned_data["username"],
                password=form.cleaned_data["password"],
            )
        except ValidationError as error:
            form.add_error(None, error)
        else:
            update_session_auth_hash(request, kept)
            request.session.set_expiry(None)
            password_set.send(sender=type(kept), request=request, user=kept)
            messages.success(request, gettext("Done! The account is yours, with all your games."))
            return HttpResponseRedirect(
                way_back(request, resolve_url(settings.LOGIN_REDIRECT_URL)), status=303
            )
    context = {
        "form": form,
        "is_open": is_open,
        "days": settings.TRIAL_DAYS,
        "next": request.POST.get("next", request.GET.get("next", "")),
    }
    return render(request, "account/keep.html", context, status=_REFUSED if form.is_bound else 200)
