"""The site's switches, as every process reads them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic

from django.conf import settings

from accounts.models import SwitchBoard


@dataclass(frozen=True)
class Switches:
    registration: bool = True
    # Whether tables may be opened.
    tables: bool = True
    # Running games are played to their end, and no new ones begin.
    maintenance: bool = False
    # The message of the day, by language.
    message: Mapping[str, str] = field(default_factory=dict)


_lock = Lock()
_read: tuple[float, Switches] | None = None


def switches() -> Switches:
    """Return the current switches, at most a few seconds old."""
    global _read
    now = monotonic()
    with _lock:
        if _read is not None and now - _read[0] < settings.SWITCHES_BELIEVED:
            return _read[1]
    row = SwitchBoard.objects.first()
    found = (
        Switches(row.registration, row.tables, row.maintenance, dict(row.message))
        if row is not None
        else Switches()
    )
    with _lock:
        _read = now, found
    return found


def forget_switches() -> None:
    """Drop the cached switches, because this process's own page must show what it has just set."""
    global _read
    with _lock:
        _read = None
