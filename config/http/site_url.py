"""The site's public address, from which all TLS settings are derived."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

_PORTS = {"http": 80, "https": 443}
# As `urlsplit` and `idna` write it. An IPv6 address has no brackets.
_NAME = re.compile(r"[a-z0-9_:-][a-z0-9._:-]*")


@dataclass(frozen=True, slots=True)
class SiteUrl:
    scheme: str
    host: str
    """A name, an IPv4 address, or an IPv6 address in brackets: the form of ALLOWED_HOSTS."""
    place: str
    """The host, with the port unless it is the scheme's default: the form of a Host header."""

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.place}"

    @property
    def is_secure(self) -> bool:
        return self.scheme == "https"


def read_site_url(text: str) -> SiteUrl | None:
    """Return the parsed SITE_URL, or None for "".

    Raises ImproperlyConfigured for anything but `http(s)://host[:port]`.
    """
    if not text:
        return None
    try:
        parts = urlsplit(text)
        port = parts.port
        name = (parts.hostname or "").encode("idna").decode("ascii")
    except ValueError as error:
        raise _refused(text) from error
    rest = parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc
    if parts.scheme not in _PORTS or not _NAME.fullmatch(name) or rest:
        raise _refused(text)
    host = f"[{name}]" if ":" in name else name
    is_usual = port is None or port == _PORTS[parts.scheme]
    return SiteUrl(parts.scheme, host, host if is_usual else f"{host}:{port}")


def _refused(text: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(
        f"SITE_URL is {text!r}, and has to be the site's address and no more, "
        "such as https://play.example"
    )
