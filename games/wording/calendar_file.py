"""The calendar file of a scheduled table, by RFC 5545.

It holds what the table's page tells everyone who may see it, and no player's name.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from django.utils.translation import gettext

from games.wording import edition_name

CONTENT_TYPE: Final = "text/calendar; charset=utf-8"
# A line has at most this many bytes without its end.
_LONGEST_LINE: Final = 75
# How long a game takes at most tables, in minutes, by pace.
_LENGTHS: Final = {"blitz": 45, "relaxed": 120}
_USUAL_LENGTH: Final = 60
_ALARM_MINUTES: Final = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarEntry:
    """What the calendar file of a table tells."""

    code: str
    edition: str
    pace: str
    # The address of the table's page.
    url: str
    opened_at: datetime
    scheduled_at: datetime
    # When the file was made, and a number that is higher for a later date.
    revised_at: datetime
    sequence: int
    # Whether the table was closed before its game: then calendars remove the date.
    is_cancelled: bool


def calendar_file(entry: CalendarEntry) -> bytes:
    """Return the calendar file of a scheduled table, in the active language."""
    summary = gettext("Secret Hitler: %(edition)s") % {"edition": edition_name(entry.edition)}
    description = gettext("Table %(code)s. Your seat is kept for five minutes.") % {
        "code": entry.code
    }
    length = _LENGTHS.get(entry.pace, _USUAL_LENGTH)
    properties = [
        ("BEGIN", "VCALENDAR"),
        ("VERSION", "2.0"),
        ("PRODID", "-//Chancellery//Scheduled tables//EN"),
        ("CALSCALE", "GREGORIAN"),
        ("BEGIN", "VEVENT"),
        ("UID", f"{entry.code}-{_instant(entry.opened_at)}@chancellery"),
        ("DTSTAMP", _instant(entry.revised_at)),
        ("DTSTART", _instant(entry.scheduled_at)),
        ("DURATION", f"PT{length}M"),
        ("SEQUENCE", str(entry.sequence)),
        ("STATUS", "CANCELLED" if entry.is_cancelled else "CONFIRMED"),
        ("SUMMARY", _text(summary)),
        ("DESCRIPTION", _text(f"{description}\n{entry.url}")),
        ("URL", entry.url),
    ]
    if not entry.is_cancelled:
        properties += [
            ("BEGIN", "VALARM"),
            ("ACTION", "DISPLAY"),
            ("TRIGGER", f"-PT{_ALARM_MINUTES}M"),
            ("DESCRIPTION", _text(summary)),
            ("END", "VALARM"),
        ]
    properties += [("END", "VEVENT"), ("END", "VCALENDAR")]
    lines = [line for name, value in properties for line in _folded(f"{name}:{value}")]
    return b"".join(line + b"\r\n" for line in lines)


def _instant(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(value: str) -> str:
    """Escape a value of type TEXT."""
    for plain in "\\;,":
        value = value.replace(plain, f"\\{plain}")
    return value.replace("\r\n", "\n").replace("\n", "\\n")


def _folded(line: str) -> Iterator[bytes]:
    """Fold a content line: each part but the first begins with a space. No character is cut."""
    part = b""
    for character in line:
        encoded = character.encode()
        if len(part) + len(encoded) > _LONGEST_LINE:
            yield part
            part = b" "
        part += encoded
    yield part
