"""The cookie by which a browser that signs in to several accounts is known as one."""

import re
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.address import address_of
from accounts.models import User
from accounts.services.signals import new_device, signals_note

_SECONDS: Final = 90 * 24 * 60 * 60
_DEVICE: Final = re.compile(r"[\w-]{22}")
_NEW: Final = "_new_device"


def cookie_name() -> str:
    # With this name a browser takes it only from this very host, and under TLS.
    return "__Host-device" if settings.IS_SECURE else "device"


def note_sign_in(request: HttpRequest, user: User) -> None:
    """Notes the signals of a sign-in; `keep_device` gives the browser its cookie."""
    if not request.META:
        # Nobody's request: a command, a test that signs somebody in.
        return
    device = request.COOKIES.get(cookie_name(), "")
    if _DEVICE.fullmatch(device) is None:
        device = new_device()
    setattr(request, _NEW, device)
    signals_note(user=user, address=address_of(request), device=device, now=timezone.now())


def keep_device(request: HttpRequest, response: HttpResponse) -> None:
    """Has the browser keep the name under which it has just signed in."""
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
