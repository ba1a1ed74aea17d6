"""The notification bell, and the page of notifications."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.auth.requests import AuthenticatedHttpRequest
from accounts.services import notifications as service
from accounts.views.sign_in import way_back


@require_safe
@never_cache
@login_required
def notifications(request: AuthenticatedHttpRequest) -> HttpResponse:
    context = {"notifications": service.newest_of(request.user.pk)}
    return render(request, "account/notifications.html", context)


@require_POST
@never_cache
def read(request: HttpRequest) -> HttpResponse:
    """Mark all notifications as read, or only the one in `pk`, and redirect to its page."""
    page = reverse("account_notifications")
    if not request.user.is_authenticated:
        return HttpResponseRedirect(f"{reverse('account_login')}?next={page}", status=303)
    asked = request.POST.get("pk", "")
    if not asked:
        service.mark_read(user_pk=request.user.pk)
    elif asked.isascii() and asked.isdigit() and len(asked) < 18:
        service.mark_read(user_pk=request.user.pk, pk=int(asked))
    return HttpResponseRedirect(way_back(request, page), status=303)


@require_safe
@never_cache
@login_required
def bell(request: HttpRequest) -> HttpResponse:
    """Render the bell and the call to a table, for a page that was told to reload them."""
    htmx = getattr(request, "htmx", None)
    here = (htmx and htmx.current_url_abs_path) or reverse(settings.LOGIN_REDIRECT_URL)
    return render(request, "_rung.html", {"here": here})
