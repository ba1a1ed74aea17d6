"""How users hear that it is their turn: their choices, their devices, and the end of mails."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.auth.requests import AuthenticatedHttpRequest
from accounts.profiles.appearance import zone_of_browser
from accounts.profiles.forms import NoticeForm
from accounts.profiles.locale_names import zone_label
from accounts.services import notices, web_push

_REFUSED = 422


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def turns(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Show the form; POST saves it, or shows it again with its errors."""
    user = request.user
    form = NoticeForm(request.POST or None, instance=notices.settings_of([user.pk])[user.pk])
    if request.method == "POST" and form.is_valid():
        notices.change_settings(user=user, chosen=form.cleaned_data, zone=zone_of_browser(request))
        messages.success(request, gettext("Preferences saved."))
        return HttpResponseRedirect(reverse("account_turns"), status=303)
    context = {
        "form": form,
        "has_mail": notices.sends_mail(),
        "has_address": notices.has_address(user),
        "devices": user.push_devices.count(),
        "zone": zone_label(user.time_zone or zone_of_browser(request)),
        "push_key": web_push.public_key(),
    }
    status = _REFUSED if request.method == "POST" else 200
    return render(request, "account/turns.html", context, status=status)


@require_POST
@never_cache
@login_required
def push_device(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Add this browser to the user's devices; or with `remove`, forget it, or all without one."""
    endpoint = request.POST.get("endpoint", "")
    if "remove" in request.POST:
        web_push.remove_device(user=request.user, endpoint=endpoint)
    else:
        try:
            web_push.add_device(
                user=request.user,
                endpoint=endpoint,
                p256dh=request.POST.get("p256dh", ""),
                auth=request.POST.get("auth", ""),
            )
        except ValueError:
            raise BadRequest("no subscription of a browser") from None
    return HttpResponseRedirect(reverse("account_turns"), status=303)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def stop_turn_mails(request: HttpRequest, signed: str) -> HttpResponse:
    """End the mails of the user whom the address names. GET only asks: mail scanners follow links.

    A mail program posts here without a cookie or a page of ours (RFC 8058).
    """
    if notices.user_of(signed) is None:
        raise Http404
    is_done = request.method == "POST" and notices.stop_mails(signed)
    context = {"is_done": is_done, "is_about_dates": notices.is_about_dates(signed)}
    return render(request, "account/turn_mails_stopped.html", context)
