"""Web Push: a browser's push service wakes the site's service worker, which shows a notice.

The payload is encrypted for the browser. It holds a table's code and path, and nothing of a game.
"""

import json
import logging
import re
from base64 import urlsafe_b64encode
from contextlib import suppress
from datetime import datetime
from email.utils import parseaddr
from functools import lru_cache
from typing import Final

from django.conf import settings
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext
from urllib3.util import Url, parse_url

from accounts.mail.messages import language_of
from accounts.models import PushDevice, User
from accounts.profiles.instants import zone_for, zoned
from config.celery import offer_task, task_named

DELIVER_PUSH: Final = "accounts.tasks.deliver_push"
# Browsers' push services. The site sends requests to these hosts only, because the address of a
# device comes from its user.
_SERVICES: Final = (
    ".fcm.googleapis.com",
    ".push.apple.com",
    ".push.services.mozilla.com",
    ".notify.windows.com",
)
_HOST: Final = re.compile(r"[a-z0-9.-]+")
_MOST_DEVICES: Final = 10
_KEY: Final = re.compile(r"[A-Za-z0-9_-]{20,100}={0,2}")
# Seconds. After half a day a notice of a turn is of little use.
KEPT: Final = 12 * 60 * 60
_TIMEOUT: Final = 10
_GONE: Final = (404, 410)

logger = logging.getLogger(__name__)


class PushNotSent(Exception):
    """The push service could not be reached, or asks to try again."""


def public_key() -> str:
    """Return the public half of the site's VAPID key, or "" if the site has none."""
    return _public_half(settings.VAPID_KEY) if settings.VAPID_KEY else ""


@lru_cache(maxsize=2)
def _public_half(private: str) -> str:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    from py_vapid import Vapid

    point = Vapid.from_string(private).public_key.public_bytes(
        Encoding.X962, PublicFormat.UncompressedPoint
    )
    return urlsafe_b64encode(point).rstrip(b"=").decode()


def add_device(*, user: User, endpoint: str, p256dh: str, auth: str) -> None:
    """Store a browser's subscription; one that another account had moves to this one.

    Raises ValueError for one that is no browser's.
    """
    endpoint = _read_endpoint(endpoint)
    if not (_KEY.fullmatch(p256dh) and _KEY.fullmatch(auth) and len(auth) <= 40):
        raise ValueError("not a key")
    PushDevice.objects.update_or_create(
        endpoint=endpoint, defaults={"user": user, "p256dh": p256dh, "auth": auth}
    )
    newest = PushDevice.objects.filter(user=user).order_by("-added_at", "-pk")
    kept = list(newest.values_list("pk", flat=True)[:_MOST_DEVICES])
    PushDevice.objects.filter(user=user).exclude(pk__in=kept).delete()


def _read_endpoint(endpoint: str) -> str:
    """Return the address as the client that sends reads it. Raises ValueError."""
    if len(endpoint) > 500 or not (endpoint.isascii() and endpoint.isprintable()):
        raise ValueError("not an address")
    # Other parsers find another host in some addresses.
    url = parse_url(endpoint)
    host = url.host or ""
    is_known = url.scheme == "https" and f".{host}".endswith(_SERVICES)
    if not is_known or not _HOST.fullmatch(host) or url.port not in (None, 443) or url.auth:
        raise ValueError("unknown push service")
    return Url("https", host=host, path=url.path, query=url.query).url


def remove_device(*, user: User, endpoint: str) -> None:
    """Forget the browser with this address, or all browsers of the user without one."""
    # An address that no row can have; PostgreSQL fails on a NUL in it.
    if not endpoint.isprintable():
        return
    devices = PushDevice.objects.filter(user=user)
    if endpoint:
        with suppress(ValueError):
            # As it is stored.
            endpoint = _read_endpoint(endpoint)
        devices = devices.filter(endpoint=endpoint)
    devices.delete()


def push_turn(*, user: User, table: str, url: str) -> None:
    """Have a worker tell all devices of the user that a table waits for them."""
    with translation.override(language_of(user)):
        title = gettext("It’s your turn")
        body = gettext("Table %(code)s is waiting for you.") % {"code": table}
    _push(user, title, body, url)


def push_call(*, user: User, table: str, url: str) -> None:
    """Have a worker tell all devices of the user that a table calls them."""
    with translation.override(language_of(user)):
        title = gettext("Your table is ready")
        body = gettext("Take a seat at table %(code)s.") % {"code": table}
    _push(user, title, body, url)


def push_appointment(
    *, user: User, what: str, table: str, url: str, at: datetime, kept: int
) -> None:
    """Have a worker tell all devices of the user about a scheduled table that meets at `at`.

    `what` is "day", "soon", "now", "moved", "cancelled" or "failed". After `kept` seconds the
    notice is of no more use, and a device that was offline does not get it.
    """
    with translation.override(language_of(user)), timezone.override(zone_for(user)):
        said = {
            "code": table,
            "date": date_format(timezone.localtime(at), "DATE_FORMAT"),
            "time": zoned(at, "TIME_FORMAT"),
        }
        match what:
            case "now":
                title = gettext("Your game is about to start")
                body = gettext(
                    "Come within five minutes, or others can take your seat at table %(code)s."
                )
            case "moved":
                title = gettext("Your table has a new date")
                body = gettext("Table %(code)s meets on %(date)s at %(time)s.")
            case "cancelled":
                title = gettext("Your table is cancelled")
                body = gettext("The host called off table %(code)s on %(date)s.")
            case "failed":
                title = gettext("Your table didn’t take place")
                body = gettext("Too few players came to table %(code)s.")
            case _:
                title = gettext("Your table meets soon")
                body = gettext("Table %(code)s meets on %(date)s at %(time)s.")
    _push(user, title, body % said, url, min(kept, KEPT))


def _push(user: User, title: str, body: str, url: str, kept: int = KEPT) -> None:
    devices = list(PushDevice.objects.filter(user=user).values_list("pk", flat=True))
    if not (devices and settings.VAPID_KEY):
        return
    payload = json.dumps({"title": title, "body": body, "url": url})
    for pk in devices:
        if not offer_task(task_named(DELIVER_PUSH), (pk, payload), kwargs={"kept": kept}):
            logger.warning("a push was not sent: the broker is away")


def deliver(device_pk: int, payload: str, kept: int = KEPT) -> None:
    """Send one message, which its service keeps for `kept` seconds if the device is offline.

    A device that no longer exists is deleted. Raises PushNotSent.
    """
    # These load a tenth of a second's worth of modules, which only a worker needs.
    import requests
    from pywebpush import WebPushException, webpush

    from accounts.services.outside import outside_session

    device = PushDevice.objects.filter(pk=device_pk).first()
    if device is None:
        return
    session = outside_session()
    keys = {"p256dh": device.p256dh, "auth": device.auth}
    try:
        webpush(
            {"endpoint": device.endpoint, "keys": keys},
            data=payload,
            vapid_private_key=settings.VAPID_KEY,
            vapid_claims={"sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"},
            ttl=kept,
            timeout=_TIMEOUT,
            requests_session=session,
        )
    except WebPushException as error:
        status = getattr(error.response, "status_code", 0)
        if status in _GONE:
            device.delete()
        elif status == 429 or status >= 500:
            raise PushNotSent(str(status)) from None
        else:
            # Another try would be refused too. The message may hold the device's address.
            logger.error("a push service refused a message with status %s", status)
    except requests.RequestException as error:
        raise PushNotSent(type(error).__name__) from None
    finally:
        session.close()
