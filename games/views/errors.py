"""Error pages in one style, in the viewer's language."""

import random
import sys
from functools import cache
from importlib import import_module
from typing import Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve, reverse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from config.http.csrf import FOREIGN, has_passed_csrf
from config.observability.logs import outage_of

# The page shown is not the one requested, so the masthead must not mark a page as current.
_FAILED: Final = {"has_failed": True}
_SIGN_IN_VIEWS: Final = frozenset(
    {"account_login", "account_signup", "mfa_authenticate", "mfa_login_webauthn"}
)


@never_cache
def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if not has_passed_csrf(request):
        return _plain(request, "400.html", status=400)
    return render(request, "400.html", _FAILED, status=400)


@never_cache
def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "403.html", _FAILED, status=403)


@never_cache
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form without its token, or from another site.

    Signing in changes the token, so a second tab with the form has an old one. Its user only wants
    to go on. A guest has not signed in to an account yet, and has to send the form again.
    """
    if reason != FOREIGN and _wants_to_sign_in(request) and _has_an_account(request):
        query = urlencode({"next": request.POST.get("next", "")})
        return HttpResponseRedirect(f"{reverse('account_login')}?{query}", status=303)
    template = "403_foreign.html" if reason == FOREIGN else "403_csrf.html"
    return _plain(request, template, status=403)


@never_cache
def not_found(
    request: HttpRequest, exception: Exception | None = None, **named: str
) -> HttpResponse:
    """Answer with 404. `named` are the URL arguments of a known pattern without a match."""
    return render(request, "404.html", _FAILED, status=404)


@never_cache
@require_safe
def too_large(request: HttpRequest) -> HttpResponse:
    """Return the page for a body that the proxy refuses (nginx.conf.template)."""
    return render(request, "413.html", _FAILED, status=413)


@never_cache
def server_error(request: HttpRequest) -> HttpResponse:
    error = sys.exc_info()[1]
    if _is_database_away(error):
        response = _unavailable(request)
        # The log says once that the database is away, without a traceback for each request.
        response._has_been_logged = True  # type: ignore[attr-defined]  # Django's own mark
        return response
    if error is not None and outage_of(error) == "disk":
        return _unavailable(request)
    return render(request, "500.html", _FAILED, status=500)


def _is_database_away(error: BaseException | None) -> bool:
    """Return whether this error of the database left the thread without a connection."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    # psycopg's connection says whether it is lost; SQLite's is never.
    return connection.connection is None or getattr(connection.connection, "closed", False)


def _unavailable(request: HttpRequest) -> HttpResponse:
    """Answer while the database cannot work. A page comes again by itself if it may."""
    if "text/html" in request.headers.get("Accept", ""):
        response = _plain(request, "503_database.html", status=503)
        if request.method in ("GET", "HEAD"):
            # Not all of them at the same moment.
            response.headers["Refresh"] = str(random.randint(3, 15))  # noqa: S311
    else:
        response = HttpResponse("The database is away.\n", content_type="text/plain", status=503)
    response.headers["Retry-After"] = str(random.randint(2, 5))  # noqa: S311
    return response


def _wants_to_sign_in(request: HttpRequest) -> bool:
    try:
        return resolve(request.path_info).view_name in _SIGN_IN_VIEWS
    except Resolver404:
        return False


def _has_an_account(request: HttpRequest) -> bool:
    """Return whether the session is a registered user's. No middleware has opened it yet."""
    key = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    if key is None:
        return False
    user = import_module(settings.SESSION_ENGINE).SessionStore(key).get(SESSION_KEY)
    return user is not None and User.objects.filter(pk=user, is_trial=False).exists()


def _plain(request: HttpRequest, template: str, status: int) -> HttpResponse:
    """Return a page for a request that has not passed the CSRF check.

    Another site may have chosen everything in the request, so the page repeats nothing. The user
    is not known yet, so the language is the browser's, or the one that its cookie names.
    """
    language = translation.get_language_from_request(request).lower()
    response = HttpResponse(
        _plain_page(template, language, request.method == "POST"), status=status
    )
    response.headers["Content-Language"] = language
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


# Room for a few templates in each language of the site.
@cache
def _plain_page(template: str, language: str, is_post: bool) -> bytes:
    with translation.override(language):
        return render_to_string(template, {"frame": "base_plain.html", "is_post": is_post}).encode()
