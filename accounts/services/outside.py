"""Requests to hosts outside: they never reach this machine or its network.

A name that a stranger controls may lead to any address. Used wherever the site fetches anything.
"""

import socket
from ipaddress import ip_address
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.connectionpool import HTTPConnectionPool


class NotOutside(requests.ConnectionError):
    """The host has an address that is not on the public Internet."""


class _Outside(HTTPAdapter):
    """Connects to the address that was checked, even if the name has another one by now."""

    def get_connection_with_tls_context(
        self, request: Any, verify: Any, proxies: Any = None, cert: Any = None
    ) -> HTTPConnectionPool:
        where, how = self.build_connection_pool_key_attributes(request, verify, cert)
        name = where["host"]
        where["host"] = _public_address(name, where["port"] or 443)
        how |= {"server_hostname": name, "assert_hostname": name}
        request.headers["Host"] = name
        return self.poolmanager.connection_from_host(**where, pool_kwargs=how)


def outside_session() -> requests.Session:
    """Return a session for `https` that follows no redirect and no proxy.

    Its requests raise NotOutside, or another RequestException.
    """
    session = requests.Session()
    session.trust_env = False
    session.max_redirects = 0
    session.mount("http://", _Nowhere())
    session.mount("https://", _Outside())
    return session


class _Nowhere(HTTPAdapter):
    def send(self, *args: Any, **kwargs: Any) -> requests.Response:
        raise NotOutside("only https")


def _public_address(name: str, port: int) -> str:
    try:
        found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise requests.ConnectionError(str(error)) from error
    addresses = [str(address[0]) for *_, address in found]
    if not addresses or not all(ip_address(each).is_global for each in addresses):
        raise NotOutside(name)
    return addresses[0]
