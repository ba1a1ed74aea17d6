"""Checks that a socket was opened by a page of this site.

A browser sends cookies with a socket that any site's page opens; only the `Origin` header says
which site it was. Django's CSRF middleware does not handle sockets, so this module checks them.
"""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host

from config.http.client_address import headers_of


def is_same_origin(scope: Mapping[str, Any]) -> bool:
    """Return whether Origin and Host each occur once and both match this site.

    Origin has to match in scheme, host and port: the origin from SITE_URL, or without SITE_URL the
    one that the client called. Origins in CSRF_TRUSTED_ORIGINS are accepted too. Host has to be
    in ALLOWED_HOSTS in every case.
    """
    origins, hosts = headers_of(scope, "origin"), headers_of(scope, "host")
    if len(origins) != 1 or len(hosts) != 1:
        return False
    if not validate_host(split_domain_port(hosts[0])[0], settings.ALLOWED_HOSTS):
        return False
    # Exact origins only: Django's wildcards ("https://*.example") do not apply to sockets.
    if origins[0] in settings.CSRF_TRUSTED_ORIGINS:
        return "*" not in origins[0]
    return not settings.SITE_ORIGIN and origins[0] == _called(scope, hosts[0])


def origin_of(scope: Mapping[str, Any]) -> str:
    """Return the site's own origin, for links in the panels that a socket sends.

    The scope has to have passed `is_same_origin`.
    """
    return settings.SITE_ORIGIN or _called(scope, headers_of(scope, "host")[0])


def site_origin(request: HttpRequest) -> str:
    """Return the site's own origin, for absolute links in pages and mails.

    Returns "" if the request's Host is not allowed; no page links there.
    """
    return settings.SITE_ORIGIN or called_origin(request)


def called_origin(request: HttpRequest) -> str:
    """Return the origin of the requested address, or "" for a host that is not ours."""
    try:
        return f"{request.scheme}://{request.get_host()}"
    except DisallowedHost:
        return ""


def is_secure(scope: Mapping[str, Any]) -> bool:
    """Return whether the client's connection uses TLS, like HttpRequest.is_secure.

    A proxy that terminates TLS says so in a header. It counts only if proxies are trusted.
    """
    if settings.TRUSTED_PROXIES:
        values = headers_of(scope, "x-forwarded-proto")
        if values:
            return values[0].partition(",")[0].strip() in ("https", "wss")
    return scope.get("scheme") in ("https", "wss")


def _called(scope: Mapping[str, Any], host: str) -> str:
    return f"{'https' if is_secure(scope) else 'http'}://{host}"
