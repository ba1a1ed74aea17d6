"""Machine-readable times. A built-in library, available in every template."""

from datetime import datetime

from django import template
from django.utils import timezone

register = template.Library()


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
