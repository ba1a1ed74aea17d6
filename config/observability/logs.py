"""The logging configuration: JSON lines in production, readable lines elsewhere.

Secrets of games and credentials must not reach the log. The site's own lines contain only user
IDs and table codes. Lines of libraries contain paths, which may include an invitation, and query
strings; exceptions quote the data that caused them. This module removes such text from every line.
"""

import errno
import logging
import os
import re
import traceback
from collections.abc import Callable, Iterator, MutableMapping
from time import monotonic
from typing import Any, Final

import structlog
from django.core.exceptions import ImproperlyConfigured
from structlog.types import EventDict, Processor

HIDDEN: Final = "[hidden]"
# Seconds between two lines about the same outage.
_QUIET: Final = 60.0

_NAMES: Final = (
    r"sessionid|csrftoken|csrfmiddlewaretoken|x-csrftoken|password\d?|token|authorization|"
    r"(?:set-)?cookie|secret(?:_key)?|vapid_key|seed"
)
_SECRET_KEY = re.compile(rf"(?:{_NAMES})$", re.IGNORECASE)
_CUTS: Final = (
    # The link to a private table, or one that ends mails, plain or URL-encoded inside another URL.
    (re.compile(r"((?:invitation|turns/stop)(?:/|%2F))[^/%\s\"'<>?#]+", re.IGNORECASE),
     rf"\1{HIDDEN}"),
    # A query string after a path.
    (re.compile(r"(/[^\s?\"'<>]*)\?[^\s\"'<>]+"), rf"\1?{HIDDEN}"),
    # The user name and password in the URL of a database or a broker.
    (re.compile(r"://[^/\s@]+@"), f"://{HIDDEN}@"),
    (re.compile(rf"(?<![a-z])((?:{_NAMES})[\"']?\s*[=:]\s*[\"']?)[^\s\"',;)]+", re.IGNORECASE),
     rf"\1{HIDDEN}"),
)  # fmt: skip
# Exceptions whose messages are about machines and cannot reveal a game.
_OF_MACHINES: Final = (
    "OperationalError",
    "InterfaceError",
    "PoolTimeout",
    "ConnectionError",
    "TimeoutError",
)


def without_secrets(logger: Any, method: str, event: EventDict) -> EventDict:
    """Remove invitations, query strings, cookies, tokens and passwords from a line."""
    return {key: HIDDEN if _SECRET_KEY.search(key) else _cut(value) for key, value in event.items()}


def _cut(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    text = str(value)
    for pattern, instead in _CUTS:
        text = pattern.sub(instead, text)
    return text


def describe_exceptions(logger: Any, method: str, event: EventDict) -> EventDict:
    """Add an exception's traceback and type to the line.

    The message is included only if it cannot be about a game.
    """
    exc_info = event.pop("exc_info", None)
    if str(event.get("logger", "")).startswith("django.security."):
        # An invalid request (a wrong Host, too many fields). One line without traceback is enough:
        # any client can cause a thousand of them.
        return event
    error = exc_info[1] if isinstance(exc_info, tuple) else exc_info
    if isinstance(error, BaseException):
        event["exception"] = describe_exception(error)
    return event


def shorten_task_errors(logger: Any, method: str, event: EventDict) -> EventDict:
    """Keep only the type of a task's error: Celery logs all arguments of the exception."""
    record = event["_record"]
    if record.name == "celery.app.trace" and (error := getattr(record, "data", {}).get("exc")):
        event["event"] = event["event"].replace(error, error.partition("(")[0])
    return event


def describe_exception(error: BaseException) -> str:
    parts: list[str] = []
    for each in _with_causes(error):
        way = "".join(traceback.format_tb(each.__traceback__))
        kind = type(each)
        line = f"{kind.__module__}.{kind.__qualname__}"
        if isinstance(each, OSError | ImproperlyConfigured) or kind.__name__ in _OF_MACHINES:
            # The second line of PostgreSQL's message contains the row.
            line += f": {str(each).partition(chr(10))[0]}"
        parts.append(f"{way}{line}")
    return "\nwhich led to:\n".join(reversed(parts))


def _with_causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    following: BaseException | None = error
    while following is not None and id(following) not in seen:
        seen.add(id(following))
        yield following
        cause = following.__cause__
        following = cause or (None if following.__suppress_context__ else following.__context__)


class OutageFilter(logging.Filter):
    """Lets one line about each outage through in a minute: requests and tasks fail all the time."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._quiet_until: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        what = _outage(record)
        if not what:
            return True
        now = self._clock()
        if now < self._quiet_until.get(what, now):
            return False
        self._quiet_until[what] = now + _QUIET
        return True


def _outage(record: logging.LogRecord) -> str:
    """Return which outage caused the line: "disk", "database", "redis", or "" for none."""
    if record.name == "psycopg.pool" and record.levelno >= logging.WARNING:
        return "database"
    # Celery's workers name the error in the line, without a traceback.
    given = record.args if isinstance(record.args, tuple) else ()
    for error in [record.exc_info[1] if record.exc_info else None, *given]:
        if isinstance(error, BaseException):
            for each in _with_causes(error):
                if what := outage_of(each):
                    return what
    return ""


def outage_of(error: BaseException) -> str:
    """Return what this error says is full or away: "disk", "database", "redis", or ""."""
    if isinstance(error, OSError):
        return "disk" if error.errno in (errno.ENOSPC, errno.EDQUOT) else ""
    # SQLite's words; and those of the system, which PostgreSQL repeats.
    if any(words in str(error) for words in ("disk is full", os.strerror(errno.ENOSPC))):
        return "disk"
    library, name = type(error).__module__.partition(".")[0], type(error).__name__
    if library in ("redis", "kombu"):
        return "redis" if name in _OF_MACHINES else ""
    if library in ("psycopg", "psycopg_pool"):
        # A deadlock, for one, is an OperationalError too, but has a code.
        code = getattr(error, "sqlstate", None)
        is_away = code.startswith(("08", "57P")) if code else name in _OF_MACHINES
        return "database" if is_away else ""
    return ""


def _readable(logger: Any, method: str, event: MutableMapping[str, Any]) -> str:
    """Render a line as `INFO games.tasks: what happened (table=23ab45cd)`, without the time."""
    event.pop("timestamp", None)
    level, name = event.pop("level", "").upper(), event.pop("logger", "")
    exception = event.pop("exception", None)
    words = f"{level} {name}: {event.pop('event', '')}"
    if event:
        words += f" ({' '.join(f'{key}={value}' for key, value in event.items())})"
    return f"{words}\n{exception}" if exception else words


def log_settings(*, level: str, is_json: bool, is_debug: bool) -> dict[str, Any]:
    """Configure structlog, and return the matching LOGGING setting for Django."""
    about: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *about,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    render: Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False) if is_json else _readable
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": about,
                "processors": [
                    shorten_task_errors,
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.format_exc_info if is_debug else describe_exceptions,
                    without_secrets,
                    render,
                ],
            }
        },
        "filters": {"outages": {"()": OutageFilter}},
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["outages"],
            }
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            # The alarm clock ticks every second; three lines per tick would bury everything else.
            **{
                name: {"level": "WARNING"}
                for name in ("celery.beat", "celery.worker.strategy", "celery.app.trace", "daphne")
            },
            # The access log has a line for refused requests too (config/http/middleware.py).
            "django.request": {"level": "ERROR"},
            # Django's own access log contains full URLs.
            "django.server": {"handlers": [], "level": "WARNING"},
        },
    }
