"""Times. A built-in library, available in every template.

No template formats the time of day in another way, so that each time names its zone.
"""

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.profiles import instants

register = template.Library()


@register.simple_tag
def server_time() -> int:
    """Return the time in milliseconds, for a page that counts down."""
    return round(timezone.now().timestamp() * 1000)


@register.filter
def when(moment: datetime, style: str = "SHORT_DATETIME_FORMAT") -> SafeString:
    """Return a time as an element of HTML, in the active zone."""
    return format_html(
        '<time datetime="{}">{}</time>', instant(moment), instants.zoned(moment, style)
    )


@register.filter
def zoned(moment: datetime, style: str = "SHORT_DATETIME_FORMAT") -> str:
    """Return the text of `when`, for mails and for what cannot hold an element."""
    return instants.zoned(moment, style)


@register.filter
def instant(moment: datetime) -> str:
    """Format a time for `<time datetime>`, to the second.

    HTML allows no finer fraction than milliseconds.
    """
    return moment.isoformat(timespec="seconds")


@register.filter
def moment(text: str) -> datetime | None:
    """Read a time that was stored in ISO 8601, in the reader's time zone; None for other text."""
    try:
        return timezone.localtime(datetime.fromisoformat(text))
    except (TypeError, ValueError):
        return None
