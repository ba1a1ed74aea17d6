"""The client's address, and which headers written by proxies can be trusted.

`TRUSTED_PROXIES` is the number of the owner's own proxies in front of the site, in a chain. Each
of them appends the address of its client to `X-Forwarded-For`, so that the last TRUSTED_PROXIES
entries are trustworthy. The client may have written all entries before them.
"""

from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Any

from django.conf import settings
from django.http import HttpRequest

# Any of these headers means that the request came through a proxy.
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
    """Return the IP address that a request, or an ASGI scope, came from, in its shortest form.

    Returns "" if there is none: a Unix socket without a proxy that names the client.
    """
    trusted = settings.TRUSTED_PROXIES
    if trusted:
        written = ",".join(headers_of(asked, "x-forwarded-for"))
        entries = [entry for entry in written.split(",") if entry.strip()]
        # A client that calls an inner proxy directly has fewer entries. Trusted proxies wrote all
        # of them, including the first.
        address = _plain(entries[-min(trusted, len(entries))]) if entries else ""
        if address:
            return address
    return _plain(_peer(asked))


def came_directly(asked: Asked) -> bool:
    """Return whether the request came from this machine or a private network without a proxy.

    A proxy in front of strangers adds one of the headers above. A client that adds such a header
    itself only loses access.
    """
    if any(headers_of(asked, name) for name in _OF_PROXIES):
        return False
    peer = _plain(_peer(asked))
    return not peer or ip_address(peer).is_private


def headers_of(asked: Asked, name: str) -> list[str]:
    """Return all values of the header with this name, which has to be in lower case."""
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
    """Return the address without port, brackets and zone, or "" if it is not an address."""
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
