"""The site's environment variables: what each may hold, and its default.

config/settings.py reads all of them at once. So every process, also a worker or a command, refuses
wrong values when it starts, and names each of them. .env.example says what the variables are for.
"""

import re
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from email.utils import parseaddr
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import redis
from django.core.exceptions import ImproperlyConfigured
from environ import Env

from config.http.site_url import read_site_url

# The number of points of the curve P-256: a private key is below it.
_P256: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_ON: Final = ("1", "on", "yes", "true")
_OFF: Final = ("0", "off", "no", "false")
_SHORTEST_KEY: Final = 50
_FEWEST_LETTERS: Final = 5
# A password in an address, also where none belongs.
_PASSWORD: Final = re.compile(r"//\S*@")
# As much of a wrong value as an error shows.
_SHOWN: Final = 80


class WrongEnvironment(Exception):
    """The environment has wrong values. The message has a line for each, without secrets."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a variable may hold."""

    allowed: str
    """What a value has to be, as the end of a sentence."""
    read: Callable[[str], Any]
    """Returns the setting. Raises ValueError or ImproperlyConfigured."""
    is_secret: bool = False
    """Whether a value may be or contain a key or a password, so that no error shows it."""


def _matched(pattern: str, text: str) -> str:
    if not re.fullmatch(pattern, text.strip(), re.ASCII):
        raise ValueError
    return text.strip()


def _within(number: float, least: float, most: float) -> float:
    if not least <= number <= most:
        raise ValueError
    return number


def _whole(least: int, most: int) -> Kind:
    def read(text: str) -> int:
        return int(_within(int(_matched(r"\d{1,12}", text)), least, most))

    return Kind(f"a whole number from {least} to {most}", read)


def _number(least: float, most: int) -> Kind:
    def read(text: str) -> float:
        return _within(float(_matched(r"\d{1,12}(\.\d{1,12})?", text)), least, most)

    return Kind(f"a number from {least:g} to {most}", read)


def _switch(text: str) -> bool:
    word = text.strip().lower()
    if word not in (*_ON, *_OFF):
        raise ValueError
    return word in _ON


def _one_of(*words: str) -> Kind:
    def read(text: str) -> str:
        found = {word.lower(): word for word in words}.get(text.strip().lower())
        if found is None:
            raise ValueError
        return found

    return Kind(f"{', '.join(words[:-1])} or {words[-1]}", read)


def _list(each: str = ".+") -> Callable[[str], list[str]]:
    def read(text: str) -> list[str]:
        return [_matched(each, part) for part in text.split(",") if part.strip()]

    return read


def _rate(text: str) -> str:
    period = "(second|minute|hour|day|month|year)s?"
    return _matched(rf"off|[1-9]\d{{0,8}}/([1-9]\d{{0,5}} )?{period}", text)


def _attempts(*counted_by: str) -> Kind:
    """Return the kind of a limit in allauth's notation, counted by address or also by name."""

    def read(text: str) -> str | None:
        if text.strip() == "off":
            return None
        rate = rf"[1-9]\d{{0,8}}/([1-9]\d{{0,5}})?[smhd](/({'|'.join(counted_by)}))?"
        return _matched(rf"{rate}(, ?{rate})*", text)

    return Kind(f'"off", or in allauth\'s notation such as 30/5m/{counted_by[-1]}', read)


def _redis_address(text: str) -> str:
    """Read the address of a Redis server, with no options but those of its client."""
    url = _matched(r"unix:///.+|rediss?://[^\s/]+(/\d*)?(\?\S*)?", text)
    parts = urlsplit(url)
    try:
        pool = redis.ConnectionPool.from_url(url)
        pool.make_connection()
    except (TypeError, redis.RedisError) as error:
        raise ValueError from error
    if pool.connection_kwargs.get("db", 0) < 0 or not (parts.scheme == "unix" or parts.hostname):
        raise ValueError
    return url


def _database(text: str) -> dict[str, Any]:
    scheme = _matched(r"(sqlite|postgres|postgresql)://.+", text).partition(":")[0]
    config: dict[str, Any] = Env.db_url_config(text.strip())
    if scheme != "sqlite" and not config["NAME"]:
        raise ValueError
    return config


def _mail_server(text: str) -> dict[str, Any]:
    config: dict[str, Any] = Env.email_url_config(_matched(r"\S+://\S*", text))
    if text.strip().startswith("smtp") and not config["EMAIL_HOST"]:
        raise ValueError
    return config


def _sender(text: str) -> str:
    if not text.isprintable() or not re.fullmatch(r"[^@\s]+@[^@\s]+", parseaddr(text)[1]):
        raise ValueError
    return text


def _push_key(text: str) -> str:
    key = _matched(r"[\w-]{43}=?", text)
    if not 0 < int.from_bytes(urlsafe_b64decode(key.rstrip("=") + "=")) < _P256:
        raise ValueError
    return key


def _listening_address(text: str) -> str:
    """Read `host:port` or a port alone."""
    _within(int(_matched(r"([^\s:]+:)?\d{1,5}", text).rpartition(":")[2]), 1, 65535)
    return text.strip()


_SITE: Final = Kind("the site's address and no more, such as https://play.example", read_site_url)
_SWITCH: Final = Kind("1, on, yes or true, or 0, off, no or false", _switch)
_TEXT: Final = Kind("a text", str)
_SECRET: Final = Kind("a text", str, is_secret=True)
_SECRETS: Final = Kind("texts, separated by commas", _list(), is_secret=True)
_HOSTS: Final = Kind(
    "host names without scheme and port, separated by commas",
    _list(r"\*|\.?[\w.-]+|\[[\da-fA-F:.]+\]"),
)
_ORIGINS: Final = Kind(
    "origins such as https://cards.example, separated by commas",
    _list(r"https?://(\[[\da-fA-F:.]+\]|[\w.*-]+)(:\d{1,5})?"),
)
_DATABASE: Final = Kind(
    "an address like postgres://user:password@host/name or sqlite:///file",
    _database,
    is_secret=True,
)
_REDIS: Final = Kind(
    "an address like redis://host:6379/0, rediss://... (with TLS) or unix:///socket",
    _redis_address,
    is_secret=True,
)
_MAIL: Final = Kind(
    "an address like smtp+tls://user:password@mail.example:587", _mail_server, is_secret=True
)
_SENDER: Final = Kind("an address such as noreply@play.example, also with a name", _sender)
_PUSH_KEY: Final = Kind(
    "a private P-256 key: 32 bytes in URL-safe Base64", _push_key, is_secret=True
)
_PLACE: Final = Kind("a port, or an address and a port such as 127.0.0.1:9101", _listening_address)
_RATE: Final = Kind('"off", or a number and a period such as 60/minute or 300/10 seconds', _rate)
_COUNT: Final = _whole(0, 1_000_000)
_SECONDS: Final = _number(0, 24 * 3600)
_FACTOR: Final = _number(0.001, 1000)

# The kind and the default of each variable. An empty variable is one that is not set.
VARIABLES: Final[dict[str, tuple[Kind, Any]]] = {
    "SITE_URL": (_SITE, None),
    "TRUSTED_PROXIES": (_whole(0, 20), 0),
    "ALLOWED_HOSTS": (_HOSTS, None),
    "CSRF_TRUSTED_ORIGINS": (_ORIGINS, []),
    "HSTS_SECONDS": (_whole(0, 10 * 365 * 24 * 3600), 365 * 24 * 3600),
    "HSTS_SUBDOMAINS": (_SWITCH, True),
    "SECRET_KEY": (_SECRET, ""),
    # Earlier keys: what they have signed stays valid.
    "SECRET_KEY_FALLBACKS": (_SECRETS, []),
    "AUDIT_KEY": (_SECRET, ""),
    "AUDIT_KEY_FALLBACKS": (_SECRETS, []),
    "VAPID_KEY": (_PUSH_KEY, ""),
    "METRICS_TOKEN": (_SECRET, ""),
    "CHANCELLERY_DATA": (_TEXT, None),
    "DATABASE_URL": (_DATABASE, None),
    "DATABASE_POOL_MIN": (_whole(0, 1000), 1),
    # Every thread of a web process may need a connection: WEB_THREADS, two for passwords, four for
    # sockets, the pulse and the health check. The sum over all processes has to stay under the
    # server's max_connections.
    "DATABASE_POOL_MAX": (_whole(1, 1000), 18),
    # NORMAL: committed data survives a killed process; a power cut may undo the last moments but
    # corrupts nothing. FULL: committed data survives a power cut too, at one fsync per move.
    "SQLITE_SYNCHRONOUS": (_one_of("NORMAL", "FULL", "EXTRA"), "NORMAL"),
    "REDIS_URL": (_REDIS, ""),
    "CACHE_URL": (_REDIS, None),
    "EMAIL_URL": (_MAIL, None),
    "DEFAULT_FROM_EMAIL": (_SENDER, None),
    "CONTACT": (_TEXT, ""),
    "DEBUG": (_SWITCH, False),
    "PSEUDO_LANGUAGES": (_SWITCH, False),
    "LOG_LEVEL": (_one_of("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"), "INFO"),
    "LOG_FORMAT": (_one_of("json", "text"), None),
    "ACCESS_LOG": (_SWITCH, None),
    "WORKER_METRICS": (_PLACE, ""),
    "WEB_THREADS": (_whole(1, 1000), 8),
    "WEB_QUEUE": (_whole(1, 1_000_000), 500),
    "SOCKET_SWEEP_SECONDS": (_number(0.01, 3600), 2.0),
    "SOCKET_RECHECK_SECONDS": (_number(0.01, 3600), 30.0),
    "BOT_PAUSE": (_number(0, 1000), 1.0),
    "PACE_SCALE": (_FACTOR, 1.0),
    "READY_SECONDS": (_SECONDS, 30.0),
    "REVEAL_SECONDS": (_SECONDS, 10.0),
    "MOTION_SECONDS": (_SECONDS, 60.0),
    "NIGHT_SECONDS": (_SECONDS, 60.0),
    # False turns all limits off, for a load test.
    "LIMITS": (_SWITCH, True),
    # What may be done how often. A request counts for the account, or before sign-in for the
    # address; on sockets an address may do twice as much as an account.
    # All that reads: each process counts for itself.
    "LIMIT_PAGES": (_RATE, "600/minute"),
    # What programs read, by address: the public API and the feeds.
    "LIMIT_API": (_RATE, "120/minute"),
    # All that changes something, and is in no other class.
    "LIMIT_ACTIONS": (_RATE, "120/minute"),
    # What other players notice at once: words, and who joins.
    "LIMIT_SAYINGS": (_RATE, "30/minute"),
    # What stays for others or costs a worker's time: tables, trial accounts, friend requests,
    # reports, uploads, mixes of rules that bots play out.
    "LIMIT_CREATIONS": (_RATE, "60/hour"),
    # Seconds that the processor works for an account's pages of uploaded records: each process
    # counts for itself.
    "LIMIT_COMPUTING": (_RATE, "60/5 minutes"),
    # Secrets that can be guessed: invitation links, and the passwords of tables.
    "LIMIT_INVITATIONS": (_RATE, "30/minute"),
    # Sockets that an address opens.
    "LIMIT_CONNECTS": (_RATE, "120/minute"),
    # Messages on all sockets. A page asks every five seconds: 200 sockets of an address send 400
    # messages in 10 s.
    "LIMIT_MESSAGES": (_RATE, "300/10 seconds"),
    # Messages that ask for a frame. A page does when it connects, and rarely after that.
    "LIMIT_FRAMES": (_RATE, "120/minute"),
    # Mails to one user, and as many pushes, whatever they are about. Further ones wait.
    "LIMIT_NOTICES": (_RATE, "10/hour"),
    # allauth's own limits. Wrong passwords for a name are counted per IP address
    # (accounts/auth/adapter.py), so that no one can lock the owner out.
    "LIMIT_SIGN_INS": (_attempts("ip"), "30/m/ip"),
    "LIMIT_SIGN_UPS": (_attempts("ip"), "20/10m/ip"),
    "LIMIT_WRONG_PASSWORDS": (_attempts("ip", "key"), "20/5m/ip,5/5m/key"),
    "LIMIT_PASSWORD_RESETS": (_attempts("ip", "key"), "10/10m/ip,3/10m/key"),
    # Guesses at one account's password before further ones have to wait, over all IP addresses
    # (accounts/throttling/password_guesses.py).
    "LIMIT_GUESSES": (_COUNT, 10),
    # How many may exist at the same time. Each process counts only its own sockets.
    "LIMIT_HOSTED_TABLES": (_COUNT, 5),
    "LIMIT_SCHEDULED_TABLES": (_COUNT, 3),
    "LIMIT_RUNNING_GAMES": (_COUNT, 20),
    "LIMIT_QUICK_GAMES": (_COUNT, 5),
    "LIMIT_SOCKETS_OF_A_USER": (_COUNT, 20),
    "LIMIT_SOCKETS_OF_AN_ADDRESS": (_COUNT, 200),
    "LIMIT_SOCKETS_OF_A_PROCESS": (_COUNT, 5000),
    # How many bot accounts a user may own, and how many uploaded records a user may keep.
    "LIMIT_BOTS_OF_A_USER": (_COUNT, 5),
    "LIMIT_RECORDS_OF_A_USER": (_COUNT, 100),
}


def read_environment(environment: Mapping[str, str], folder: Path) -> dict[str, Any]:
    """Return the value of each variable. Raises WrongEnvironment, which lists every error.

    A key that is not set is read from the data folder.
    """
    kept = {name: _kept_key(folder / name.lower()) for name in ("SECRET_KEY", "VAPID_KEY")}
    values: dict[str, Any] = {}
    wrong: list[str] = []
    for name, (kind, default) in VARIABLES.items():
        text = environment.get(name, "") or kept.get(name, "")
        values[name] = default
        if not text.strip():
            continue
        try:
            values[name] = kind.read(text)
        except (ValueError, ImproperlyConfigured):
            is_secret = kind.is_secret or _PASSWORD.search(text)
            shown = f"{len(text)} characters long" if is_secret else repr(text[:_SHOWN])
            wrong.append(f"{name} is {shown}. It has to be {kind.allowed}.")
    wrong += _unknown(environment) + list(_conflicts(values))
    if wrong:
        raise WrongEnvironment("\n".join(wrong))
    return values


def _kept_key(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise WrongEnvironment(f"The key in {path} cannot be read: {reason}.") from error


def _unknown(environment: Mapping[str, str]) -> list[str]:
    """Name the misspelt limits. A limit that does nothing would look like one that holds."""
    found = sorted(name for name in environment if name.startswith("LIMIT_"))
    return [
        f"{name} is not a setting."
        + "".join(f" Is it {like}?" for like in get_close_matches(name, VARIABLES, n=1))
        for name in found
        if name not in VARIABLES
    ]


def _conflicts(values: Mapping[str, Any]) -> Iterable[str]:
    """Yield an error for each combination of values that is not allowed."""
    key = values["SECRET_KEY"]
    if values["SITE_URL"] and values["SITE_URL"].is_secure:
        is_weak = len(key) < _SHORTEST_KEY or len(set(key)) < _FEWEST_LETTERS
        if key and is_weak:
            yield (
                f"SECRET_KEY is {len(key)} characters long. On a public site it has to be at least "
                f"{_SHORTEST_KEY} random letters and digits."
            )
        if values["PSEUDO_LANGUAGES"]:
            yield "PSEUDO_LANGUAGES is on. On a public site it has to be off: nobody reads them."
        if values["EMAIL_URL"] and not values["EMAIL_URL"]["EMAIL_HOST"]:
            yield "EMAIL_URL names no server. A public site must not write its mails to the log."
    if values["DATABASE_POOL_MIN"] > values["DATABASE_POOL_MAX"]:
        yield "DATABASE_POOL_MIN is greater than DATABASE_POOL_MAX."
