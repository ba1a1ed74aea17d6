"""Types of requests, for views that know more of a request than Django's own type tells.

Django calls a view with a plain `HttpRequest`. Our middleware adds `htmx`, and a decorator such as
`login_required` lets only signed-in users pass.
"""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from accounts.models import User


class HtmxRequest(HttpRequest):
    """A request behind HtmxMiddleware."""

    htmx: HtmxDetails


class AuthenticatedHttpRequest(HtmxRequest):
    """A request behind a decorator that lets only signed-in users pass."""

    user: User
