"""Access control for the moderators' pages."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache

from accounts.auth.roles import Rank, rank

View = Callable[..., HttpResponse]


def for_rank(least: Rank) -> Callable[[View], View]:
    """Return a decorator that answers 404 to users below this rank.

    They must not learn that the page exists.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if rank(request.user) < least:
                raise Http404
            return view(request, *args, **kwargs)

        return never_cache(wrapped)

    return decorate
