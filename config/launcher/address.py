"""The address that the site listens on, and the host names that it accepts."""

import errno
import socket
from contextlib import suppress
from dataclasses import dataclass

from django.http.request import validate_host
from django.utils.translation import gettext as _

from config.launcher.errors import PlayError

EVERY_INTERFACE = ("0.0.0.0", "::")  # noqa: S104  only named here


@dataclass(frozen=True)
class Address:
    name: str
    """The address or host name as the user wrote it."""
    ip: str
    port: int

    @property
    def everywhere(self) -> bool:
        return self.ip in EVERY_INTERFACE

    @property
    def here(self) -> str:
        """The IP address by which this machine reaches the site."""
        return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.ip, self.ip)  # noqa: S104  only named here

    def url(self, name: str = "") -> str:
        name = name or (self.here if self.everywhere else self.name)
        if name == "127.0.0.1":
            # Browsers make passkeys for names only.
            name = "localhost"
        return f"http://{_bracketed(name)}:{self.port}/"


def choose_address(host: str, port: int) -> Address:
    """Return the address to listen on, after a check that it is free. Port 0 means any free port.

    Raises PlayError. Daphne binds the port again a second later. If another program takes it in
    between, Daphne exits and its error is shown; this check has a plainer message, before any
    process has started.
    """
    if not 0 <= port <= 65535:
        # The resolver would not refuse it but take it modulo 65536.
        raise PlayError(_("%(port)s isn’t a valid port.") % {"port": port})
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        # `localhost` has an IPv4 and an IPv6 address; people and proxies expect IPv4.
        family, kind, protocol, __, place = min(found, key=lambda each: each[0] != socket.AF_INET)
    except (OSError, UnicodeError) as error:
        raise PlayError(_("Can’t find an address for %(host)s.") % {"host": host}) from error
    try:
        with socket.socket(family, kind, protocol) as probe:
            # Connections of a site that stopped a moment ago do not block the port.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
            probe.listen()
            ip, port = probe.getsockname()[:2]
    except OSError as error:
        raise PlayError(_why_not(error, host, port)) from error
    return Address(host, ip, port)


def allowed_hosts(address: Address, configured: list[str], *, by_the_owner: bool) -> list[str]:
    """Return the ALLOWED_HOSTS that let clients reach the site at this address.

    If the site listens on every interface, they are this machine's own names and addresses. They
    are not `*`, because a forged Host header would then end up in the links of mails. If the owner
    has set ALLOWED_HOSTS (`by_the_owner`), at most the name from the command line is added.

    CSRF_TRUSTED_ORIGINS needs no change: a form's origin is compared with the request's host.
    """
    if not address.everywhere:
        names = [_bracketed(address.name)]
    elif by_the_owner:
        names = []
    else:
        names = [_bracketed(name) for name in own_names()]
    return configured + [name for name in names if not validate_host(name, configured)]


def own_names() -> list[str]:
    """Return this machine's name and its addresses on the network."""
    name = socket.gethostname().lower()
    names = [name, f"{name}.local"]
    with suppress(OSError):
        names += [str(found[4][0]) for found in socket.getaddrinfo(name, None)]
    for family, anywhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        # Connecting a UDP socket sends nothing; it only selects the local address for the route.
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as question:
            question.connect((anywhere, 9))
            names.append(str(question.getsockname()[0]))
    # Without duplicates, in order. Addresses with a zone (`%eth0`) cannot be used in a URL.
    return [name for name in dict.fromkeys(names) if "%" not in name]


def a_name_of(hosts: list[str], address: Address) -> str:
    """Return a Host header that the site accepts, for requests from this machine."""
    here = _bracketed(address.here)
    if validate_host(here, hosts):
        return f"{here}:{address.port}"
    return f"{hosts[0].removeprefix('.')}:{address.port}" if hosts else here


def _bracketed(name: str) -> str:
    return f"[{name}]" if ":" in name else name


def _why_not(error: OSError, host: str, port: int) -> str:
    words = {"host": host, "port": port, "reason": error.strerror}
    match error.errno:
        case errno.EADDRINUSE:
            return (
                _("Port %(port)s is taken by another program. Choose another one with --port.")
                % words
            )
        case errno.EACCES:
            return _("You can’t use port %(port)s. Choose one from 1024 up.") % words
        case errno.EADDRNOTAVAIL:
            return _("%(host)s isn’t an address of this machine.") % words
    return _("The site can’t listen on %(host)s, port %(port)s: %(reason)s.") % words
