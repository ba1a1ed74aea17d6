"""Where a request or a socket comes from, as far as a limit may rely on it."""

from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Any

from django.http import HttpRequest


def address_of(request: HttpRequest) -> str:
    """The client's address; what a client says of itself (X-Forwarded-For) counts nothing."""
    return as_one_client(request.META.get("REMOTE_ADDR") or "")


def address_of_scope(scope: Mapping[str, Any]) -> str:
    """The same, for a socket's ASGI scope."""
    return as_one_client((scope.get("client") or ("",))[0] or "")


def as_one_client(address: str) -> str:
    """The address, or of IPv6 the network of 64 bits, all of which one client may use."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(IPv6Address(int(parsed) >> 64 << 64))
