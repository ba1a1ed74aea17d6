"""Whether a socket was opened by a page of this very site.

A browser sends cookies with a socket that any page opens, and says only in `Origin` whose page
it was. Django's CSRF middleware never sees sockets; this is their share of it.
"""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host

from config.client import headers_of


def is_same_origin(scope: Mapping[str, Any]) -> bool:
    """Whether Origin and Host are each there once and both ours: scheme, host and port.

    Where SITE_URL says which origin is ours, that one; elsewhere the one that was called.
    CSRF_TRUSTED_ORIGINS are ours too. Host is checked whatever Origin says.
    """
    origins, hosts = headers_of(scope, "origin"), headers_of(scope, "host")
    if len(origins) != 1 or len(hosts) != 1:
        return False
    if not validate_host(split_domain_port(hosts[0])[0], settings.ALLOWED_HOSTS):
        return False
    # Whole origins only: Django's wildcards ("https://*.example") let no socket in.
    if origins[0] in settings.CSRF_TRUSTED_ORIGINS:
        return "*" not in origins[0]
    return not settings.SITE_ORIGIN and origins[0] == _called(scope, hosts[0])


def origin_of(scope: Mapping[str, Any]) -> str:
    """The site's own origin, as links in a socket's panels begin.

    For a scope that `is_same_origin` let in.
    """
    return settings.SITE_ORIGIN or _called(scope, headers_of(scope, "host")[0])


def site_origin(request: HttpRequest) -> str:
    """The site's own origin, as links in a page and in a mail begin.

    "" where somebody asked for a host that is not ours: no page leads there.
    """
    if settings.SITE_ORIGIN:
        return settings.SITE_ORIGIN
    try:
        return f"{request.scheme}://{request.get_host()}"
    except DisallowedHost:
        return ""


def is_secure(scope: Mapping[str, Any]) -> bool:
    """Whether the client's side of the connection is under TLS, like HttpRequest.is_secure.

    A proxy that ends TLS says so in a header, which counts only where proxies are trusted.
    """
    if settings.TRUSTED_PROXIES:
        values = headers_of(scope, "x-forwarded-proto")
        if values:
            return values[0].partition(",")[0].strip() in ("https", "wss")
    return scope.get("scheme") in ("https", "wss")


def _called(scope: Mapping[str, Any], host: str) -> str:
    return f"{'https' if is_secure(scope) else 'http'}://{host}"
