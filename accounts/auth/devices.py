"""The cookie that identifies a browser which signs in to several accounts."""

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import User
from accounts.services.signals import is_device, new_device, note_signals
from config.http.client_key import address_of

_SECONDS: Final = 90 * 24 * 60 * 60
_NEW: Final = "_new_device"
# The session key of a digest of the address and the device that were noted last.
_NOTED: Final = "signals"


def cookie_name() -> str:
    # With this prefix, browsers accept the cookie only from this exact host, and only over TLS.
    return "__Host-device" if settings.IS_SECURE else "device"


def note_sign_in(request: HttpRequest, user: User) -> None:
    """Record the signals of a sign-in. `keep_device` then sets the browser's cookie."""
    if not request.META:
        # Not an HTTP request: a command or a test signs the user in.
        return
    device = device_of(request) or new_device()
    setattr(request, _NEW, device)
    _note(request, user, device)


def note_use(request: HttpRequest) -> None:
    """Note the address and the device of a signed-in request that is about to join a table.

    Makes no statement if the session has noted both already.
    """
    assert request.user.is_authenticated
    device = device_of(request)
    if request.session.get(_NOTED) != _digest(address_of(request), device):
        _note(request, request.user, device)


def device_of(request: HttpRequest) -> str:
    """Return the device that the browser's cookie names, or "" if this site did not sign it."""
    device = request.COOKIES.get(cookie_name(), "")
    return device if is_device(device) else ""


def keep_device(request: HttpRequest, response: HttpResponse) -> None:
    """Set the cookie with the device under which this browser has just signed in."""
    device = getattr(request, _NEW, "")
    if device:
        response.set_cookie(
            cookie_name(),
            device,
            max_age=_SECONDS,
            secure=settings.IS_SECURE,
            httponly=True,
            samesite="Lax",
        )


def _note(request: HttpRequest, user: User, device: str) -> None:
    address = address_of(request)
    note_signals(user=user, address=address, device=device, now=timezone.now())
    request.session[_NOTED] = _digest(address, device)


def _digest(address: str, device: str) -> str:
    # A digest, because the session must not reveal an address.
    # With the day, so that each of the keys that change gets a signal.
    today = timezone.now().date().isoformat()
    return salted_hmac(
        "accounts.auth.devices", f"{address} {device} {today}", algorithm="sha256"
    ).hexdigest()
