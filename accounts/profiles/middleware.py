"""The middleware that chooses the language of a page."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers

from accounts.profiles.languages import keep_language, linked_language


class LanguageMiddleware:
    """Activates the account's language, else the URL's, the cookie's or the browser's.

    A language in the URL is stored in the cookie, so that the next pages and their sockets use it
    too. The account's own language takes precedence, so that users who share a link do not choose
    the language of others.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = request.user.language if request.user.is_authenticated else ""
        linked = "" if language else linked_language(request)
        # Django returns the value "EN" of a cookie in upper case, as it was written.
        language = language or linked or translation.get_language_from_request(request).lower()
        translation.activate(language)
        request.LANGUAGE_CODE = language
        response = self.get_response(request)
        if linked and request.method == "GET":
            keep_language(response, linked)
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
        response.headers.setdefault("Content-Language", language)
        return response
