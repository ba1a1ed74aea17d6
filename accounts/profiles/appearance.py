"""How the site looks to the reader: theme, motion and time zone.

The account's settings count first, then the browser's cookies. A cookie with an invalid value is
ignored.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.models import User
from accounts.profiles.choices import Animations, Theme
from accounts.profiles.locale_names import zone_of

_THEME: Final = "theme"
_MOTION: Final = "motion"
# The page's script (live.js) sets this cookie, because only the browser knows the time zone.
_ZONE: Final = "time_zone"
_KEPT_FOR: Final = 365 * 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Appearance:
    # Values of Theme and of Motion; "" follows the system setting.
    theme: str
    motion: str
    # The time zone set in the account; "" means the browser's.
    zone: str
    # Whether the account or the browser has named a zone. If not, the page is in UTC.
    knows_zone: bool

    @property
    def scheme(self) -> str:
        """The CSS `color-scheme`, for a browser that has not loaded the style sheet yet."""
        return self.theme or "light dark"


def appearance(request: HttpRequest) -> dict[str, Appearance]:
    """Context processor that adds `look`."""
    return {"look": appearance_of(request)}


def appearance_of(request: HttpRequest) -> Appearance:
    # An error page may be older than the middleware that adds the user.
    user = getattr(request, "user", None)
    theme, motion, zone = (
        (user.theme, user.motion, user.time_zone) if isinstance(user, User) else ("", "", "")
    )
    return Appearance(
        theme=theme or _one_of(Theme.values, request.COOKIES.get(_THEME, "")),
        motion=motion or _one_of(Animations.values, request.COOKIES.get(_MOTION, "")),
        zone=zone,
        knows_zone=bool(zone_of(zone) or zone_of_browser(request)),
    )


def keep_appearance(response: HttpResponse, *, theme: str, motion: str) -> None:
    """Set the theme and motion cookies, for when the visitor is not signed in.

    An empty value deletes the cookie.
    """
    for name, value in ((_THEME, theme), (_MOTION, motion)):
        if not value:
            response.delete_cookie(name, samesite="Lax")
            continue
        response.set_cookie(
            name,
            value,
            max_age=_KEPT_FOR,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )


def zone_of_browser(request: HttpRequest) -> str:
    """Return the name of the browser's time zone, or "" if the browser names none that we know."""
    zone = request.COOKIES.get(_ZONE, "")
    return zone if zone_of(zone) else ""


class TimeZoneMiddleware:
    """Activates the account's time zone, else the browser's, else UTC."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        zone = zone_of(user.time_zone) if user.is_authenticated else None
        with timezone.override(zone or zone_of(zone_of_browser(request))):
            return self.get_response(request)


def _one_of(values: list[str], value: str) -> str:
    return value if value in values else ""
