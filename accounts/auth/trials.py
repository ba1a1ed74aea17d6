"""Sessions of trial accounts, and the pages that they cannot use."""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from allauth.account.utils import perform_login
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.dispatch import Signal
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from accounts.models import User
from accounts.services.trials import create_trial

P = ParamSpec("P")


# Sent when a guest has signed in to an account, with `guest` and `user`.
guest_signed_in = Signal()


def guest_of(request: HttpRequest) -> User | None:
    """Return the guest that makes this request, also at a page which is for visitors."""
    user: User | AnonymousUser = getattr(request, "guest", request.user)
    return user if isinstance(user, User) and user.is_trial else None


def for_guests_too(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Show guests this page as visitors see it; they stay guests until they have signed in."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        guest = guest_of(request)
        if guest is not None:
            request.guest, request.user = guest, AnonymousUser()  # type: ignore[attr-defined]
        return view(request, *args, **kwargs)

    return wrapped  # type: ignore[return-value]


def begin_trial(request: HttpRequest, *, name: str = "") -> User:
    """Create a trial account and sign the request in to it. Raises ValidationError."""
    user = create_trial(name=name)
    # Like any other sign-in, so that the session is listed and the device noted.
    perform_login(request, user)
    request.session.set_expiry(timedelta(days=settings.TRIAL_DAYS))
    return user


class TrialMiddleware:
    """Keeps sessions of trial accounts alive, and sends them from some views to registration.

    settings.REGISTERED_VIEWS names the views that only registered users may use.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        user = request.user
        if not (user.is_authenticated and user.is_trial):
            return None
        left = request.session.get_expiry_date() - timezone.now()
        if left < timedelta(days=settings.TRIAL_DAYS - 1):
            request.session.set_expiry(timedelta(days=settings.TRIAL_DAYS))
        match = request.resolver_match
        if match is not None and match.view_name in settings.REGISTERED_VIEWS:
            return redirect("account_keep")
        return None
