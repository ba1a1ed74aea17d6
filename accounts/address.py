"""Whom a limit counts as one, of those who have not signed in."""

from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Any

from django.http import HttpRequest

from config.client import client_address


def address_of(asked: HttpRequest | Mapping[str, Any]) -> str:
    """The address that a request, or a socket's scope, comes from; of IPv6 the network of 64
    bits, all of which one client may use. "" for all who come without one."""
    address = client_address(asked)
    parsed = ip_address(address) if address else None
    if not isinstance(parsed, IPv6Address):
        return address
    return str(IPv6Address(int(parsed) >> 64 << 64))
