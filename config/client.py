"""Who is on the other side: what may be believed of the headers that proxies write.

`TRUSTED_PROXIES` is how many proxies of the owner's stand one behind the other in front of
us. Each of them appends the address that it was called from to `X-Forwarded-For`, so the last
so many entries are theirs and everything before was written by whoever called.
"""

from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Any

from django.conf import settings
from django.http import HttpRequest

# Any of these says that somebody stands in between.
_OF_PROXIES = (
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
)

Asked = HttpRequest | Mapping[str, Any]


def client_address(asked: Asked) -> str:
    """The IP address that a request, or an ASGI scope, came from, in its shortest form.

    "" where there is none: a unix socket without a proxy that says who called.
    """
    trusted = settings.TRUSTED_PROXIES
    if trusted:
        written = ",".join(headers_of(asked, "x-forwarded-for"))
        entries = [entry for entry in written.split(",") if entry.strip()]
        # Who calls an inner proxy directly has fewer entries, and the first is a proxy's still.
        address = _plain(entries[-min(trusted, len(entries))]) if entries else ""
        if address:
            return address
    return _plain(_peer(asked))


def came_directly(asked: Asked) -> bool:
    """Whether it comes from this machine or a private network, and through no proxy at all.

    A proxy that lets strangers in says so in a header; a stranger who adds one hides nothing.
    """
    if any(headers_of(asked, name) for name in _OF_PROXIES):
        return False
    peer = _plain(_peer(asked))
    return not peer or ip_address(peer).is_private


def headers_of(asked: Asked, name: str) -> list[str]:
    """Each value that the header of this name (in lower case) has."""
    if isinstance(asked, HttpRequest):
        value = asked.headers.get(name)
        return [] if value is None else [value]
    return [
        value.decode("latin-1") for key, value in asked["headers"] if key.lower() == name.encode()
    ]


def _peer(asked: Asked) -> str:
    if isinstance(asked, HttpRequest):
        return asked.META.get("REMOTE_ADDR") or ""
    client = asked.get("client")
    return (client[0] if client else "") or ""


def _plain(text: str) -> str:
    """An address without port, brackets or zone; "" for what is none."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return str(address)
