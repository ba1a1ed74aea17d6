"""Django's CSRF check, made before the site's other middleware reads, counts or stores anything.

Django makes this check just before it calls the view. By then the middleware has asked the
database who is signed in and has counted the request against a limit. So a page of another site
could use up its visitor's limits, and would get back what it had posted with a fresh token.
"""

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware

from config.http.origin import called_origin

# The reason that CSRF_FAILURE_VIEW gets for a request from a page of another site.
FOREIGN: Final = "The request comes from a page of another site."
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
# What `Sec-Fetch-Site` says for a page of this origin, and for no page, such as a bookmark.
_OWN: Final = frozenset({"same-origin", "none"})


def has_passed_csrf(request: HttpRequest) -> bool:
    """Return whether the request needs no CSRF check, or has passed it.

    Until then an answer must not repeat posted data: another site may have chosen it.
    """
    return request.method in _SAFE or getattr(request, "csrf_processing_done", False)


class CsrfMiddleware(CsrfViewMiddleware):
    """Refuses forged requests before the site looks up who sends them.

    It comes before all middleware that opens the session, and makes no exception for views that
    are `csrf_exempt`. A refusal costs no statement and counts against no limit: another site
    could use up a limit by address or account, and a refusal is cheaper than a count.
    """

    # Methods of Django's class that its type stubs do not list.
    _reject: Callable[[HttpRequest, str], HttpResponse]
    _origin_verified: Callable[[HttpRequest], bool]

    # The stubs say that it never answers; Django sends on an answer of any middleware.
    def process_request(  # type: ignore[override]
        self, request: HttpRequest
    ) -> HttpResponse | None:
        super().process_request(request)
        if request.method in _SAFE:
            return None
        if self._is_foreign(request):
            return self._reject(request, FOREIGN)
        # Django looks for the token in the body, and reads a multipart body of any length.
        # PlainRequestMiddleware has checked that the length is a number.
        is_upload = request.path_info in settings.UPLOAD_PATHS
        most = settings.LARGEST_UPLOAD if is_upload else settings.LARGEST_BODY
        if int(request.META.get("CONTENT_LENGTH") or 0) > most:
            raise RequestDataTooBig("The body is longer than LARGEST_BODY.")
        if request.path_info.startswith((settings.TOKEN_PATHS, settings.SIGNED_PATHS)):
            # No cookie identifies anyone there (accounts/auth/tokens.py, services/notices.py), so a
            # page of another site cannot act for its visitor.
            request.csrf_processing_done = True  # type: ignore[attr-defined]
            return None
        # No view is known yet. Django only asks whether it is exempt.
        return self.process_view(request, None, (), {})  # type: ignore[arg-type]

    def _is_foreign(self, request: HttpRequest) -> bool:
        """Return whether the browser says that a page of another site sends this request.

        The site's own origin and CSRF_TRUSTED_ORIGINS are not foreign. Clients that send neither
        header, such as old browsers, are left to Django's check.
        """
        origin = request.META.get("HTTP_ORIGIN")
        if origin is not None and not self._origin_verified(request):
            return True
        if request.META.get("HTTP_SEC_FETCH_SITE", "none") in _OWN:
            return False
        # Only a page of another trusted origin passes here. A subdomain that is
        # "same-site" and names no origin may be anyone's.
        return origin is None or origin == called_origin(request)
