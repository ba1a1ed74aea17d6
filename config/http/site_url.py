"""The site's public address, from which all TLS settings are derived."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

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


def read_site_url(text: str) -> SiteUrl:
    """Return the parsed SITE_URL. Raises ValueError for anything but `http(s)://host[:port]`."""
    parts = urlsplit(text)
    port = parts.port
    name = (parts.hostname or "").encode("idna").decode("ascii")
    rest = parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc
    if parts.scheme not in _PORTS or not _NAME.fullmatch(name) or rest:
        raise ValueError
    host = f"[{name}]" if ":" in name else name
    is_usual = port is None or port == _PORTS[parts.scheme]
    return SiteUrl(parts.scheme, host, host if is_usual else f"{host}:{port}")
