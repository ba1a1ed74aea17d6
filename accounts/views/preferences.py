"""The preferences page, and the one-click switches on other pages."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.db import transaction
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.auth.requests import AuthenticatedHttpRequest, HtmxRequest
from accounts.models import User
from accounts.profiles.appearance import appearance_of, keep_appearance
from accounts.profiles.choices import PAGE_PARTS
from accounts.profiles.forms import PreferencesForm
from accounts.profiles.languages import keep_language
from accounts.services import preferences as service
from accounts.views.sign_in import way_back

_REFUSED = 422


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def preferences(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Show the form; POST saves it, or shows it again with its errors."""
    # Load a separate instance: the form writes its input into it, and the header shows
    # request.user.
    user = User.objects.get(pk=request.user.pk)
    # The browser's cookies apply until the account has a value.
    now = appearance_of(request)
    form = PreferencesForm(
        request.POST or None,
        instance=user,
        initial={"theme": now.theme, "motion": now.motion},
    )
    if request.method != "POST" or not form.is_valid():
        status = _REFUSED if request.method == "POST" else 200
        return render(request, "account/preferences.html", {"form": form}, status=status)
    data = form.cleaned_data
    with transaction.atomic():
        service.change_preferences(
            user=user,
            language=data["language"],
            mail_language=user.mail_language,
            switches={name: data[name] for name in service.SWITCHES},
            time_zone=data["time_zone"],
            theme=data["theme"],
            motion=data["motion"],
        )
        service.change_profile(
            user=user,
            country=data["country"],
            spoken=data["spoken"],
            audiences={part: data[f"shows_{part}"] for part in PAGE_PARTS},
        )
    response = HttpResponseRedirect(reverse("account_preferences"), status=303)
    keep_appearance(response, theme=data["theme"], motion=data["motion"])
    if data["language"]:
        translation.activate(data["language"])
        keep_language(response, data["language"])
    messages.success(request, gettext("Preferences saved."))
    return response


@require_POST
@never_cache
def switch(request: HtmxRequest) -> HttpResponse:
    """Turn one preference on or off: redirects back for a plain form, 204 for htmx."""
    if not request.user.is_authenticated:
        page = reverse("account_preferences")
        return HttpResponseRedirect(f"{reverse('account_login')}?next={page}", status=303)
    try:
        service.switch_preference(
            user=request.user,
            name=request.POST.get("name", ""),
            is_on=request.POST.get("is_on") == "on",
        )
    except ValueError:
        raise BadRequest("no such switch") from None
    if request.htmx:
        return HttpResponse(status=204)
    return HttpResponseRedirect(way_back(request, reverse("account_preferences")), status=303)
