"""The key by which limits count clients that have not signed in."""

from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Any

from django.http import HttpRequest

from config.http.client_address import client_address


def address_of(asked: HttpRequest | Mapping[str, Any]) -> str:
    """Return the client address of a request or of a socket's scope, or "" if there is none.

    An IPv6 address is reduced to its /64 network, because one client may use all of it.
    """
    address = client_address(asked)
    parsed = ip_address(address) if address else None
    if not isinstance(parsed, IPv6Address):
        return address
    return str(IPv6Address(int(parsed) >> 64 << 64))
