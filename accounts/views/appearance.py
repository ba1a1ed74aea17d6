"""The page for how the site looks, also for users without an account."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.profiles.appearance import appearance_of, keep_appearance
from accounts.profiles.forms import AppearanceForm
from accounts.services import preferences as service
from accounts.views.sign_in import way_back

_REFUSED = 422


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def look(request: HttpRequest) -> HttpResponse:
    """Show the form; POST saves the choice in the account and in this browser."""
    now = appearance_of(request)
    form = AppearanceForm(
        request.POST if request.method == "POST" else None,
        initial={"theme": now.theme, "motion": now.motion},
    )
    if request.method != "POST" or not form.is_valid():
        status = _REFUSED if request.method == "POST" else 200
        return render(request, "account/look.html", {"form": form}, status=status)
    chosen = form.cleaned_data
    if request.user.is_authenticated:
        service.change_appearance(user=request.user, theme=chosen["theme"], motion=chosen["motion"])
    response = HttpResponseRedirect(way_back(request, reverse("account_look")), status=303)
    keep_appearance(response, theme=chosen["theme"], motion=chosen["motion"])
    messages.success(request, gettext("Saved. This is how the site looks now."))
    return response
