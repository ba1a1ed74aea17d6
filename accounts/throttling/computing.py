"""A budget of computing time, for views that can cost much more than a page."""

from collections.abc import Callable
from functools import wraps
from time import thread_time
from typing import Any

from django.http import HttpRequest, HttpResponse

from accounts.throttling.limits import compute_wait, note_computing, who_is
from accounts.throttling.too_many_requests import refuse
from config.http.client_key import address_of

View = Callable[..., HttpResponse]


def costs_time(view: View) -> View:
    """Charge the time that the processor works for a view; refuse it while the budget is used up.

    The time is known only afterwards, so the last view of a budget may exceed it.
    """

    @wraps(view)
    def charged(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        who = _who(request)
        wait = compute_wait(who)
        if wait is not None:
            return refuse(request, wait)
        began = thread_time()
        try:
            return view(request, *args, **kwargs)
        finally:
            note_computing(who, thread_time() - began)

    return charged


def _who(request: HttpRequest) -> str:
    """Return whom to charge: guests by their address, because new accounts cost them nothing."""
    if request.user.is_authenticated and request.user.is_trial:
        return f"address:{address_of(request)}"
    return who_is(request)
