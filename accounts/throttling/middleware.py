"""The middleware that counts requests."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

from accounts.throttling.limits import Limit, hit, who_is
from accounts.throttling.too_many_requests import refuse, wait_of


class LimitsMiddleware:
    """Counts each request against its limit, and answers 429 if it is over.

    settings.LIMITS says what counts as what. A stranger's post is always an action. One that fails
    the CSRF check does not get here (config.http.csrf): another site uses up no limit.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        wait = hit(_counts_as(request), who_is(request))
        if wait is not None:
            return refuse(request, wait)
        response = self.get_response(request)
        # A form that a limit refused comes back with the user's input and the reason.
        wait = wait_of(request)
        if wait is not None and response.status_code == 200:
            response.status_code = 429
            response.headers["Retry-After"] = str(wait)
        return response


def _counts_as(request: HttpRequest) -> Limit:
    if settings.PUBLIC_PATHS.match(request.path_info):
        return Limit.API
    is_post = request.method == "POST"
    if is_post and not request.user.is_authenticated:
        return Limit.ACTIONS
    usual = Limit.ACTIONS if is_post else Limit.PAGES
    try:
        name = resolve(request.path_info).view_name
    except Resolver404:
        return usual
    exception = settings.LIMITS_OF_VIEWS.get(name)
    if is_post or exception == Limit.INVITATIONS:
        return Limit(exception or usual)
    return usual
