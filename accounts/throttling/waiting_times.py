"""The waiting times of allauth's own limits, which allauth does not report."""

from math import ceil
from time import time
from typing import Final

from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.http import HttpRequest

_APP: Final = "allauth.account"
# allauth's name for what it counts, by page.
_ACTIONS: Final = {
    "account_login": "login",
    "account_signup": "signup",
    "account_reset_password": "reset_password",
    "account_reset_password_from_key": "reset_password_from_key",
    "account_confirm_password_reset_code": "reset_password_from_key",
    "account_complete_password_reset": "reset_password_from_key",
    "account_change_password": "change_password",
    "account_email": "manage_email",
    "account_email_verification_sent": "confirm_email",
}
_UNKNOWN: Final = 60


def wait_at(request: HttpRequest) -> int:
    """Return the seconds until the page that refused this request accepts another."""
    name = request.resolver_match.view_name if request.resolver_match else ""
    return wait_for(request, _ACTIONS.get(name, ""))


def wait_for(request: HttpRequest, action: str, key: str | None = None) -> int:
    """Return the seconds until all rates of `action` allow another try.

    Returns 60 if that is unknown.
    """
    waits = [0.0]
    for rate in ratelimit.get_rates(app=_APP, action=action):
        if rate.per == "key" and key is None:
            continue
        if rate.per == "user" and not request.user.is_authenticated:
            continue
        place = ratelimit.get_cache_key(request, app=_APP, action=action, rate=rate, key=key)
        moments = cache.get(place, [])
        if len(moments) >= rate.amount:
            waits.append(moments[-1] + rate.duration - time())
    return ceil(max(waits)) if max(waits) > 0 else _UNKNOWN
