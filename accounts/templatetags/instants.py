"""Machine-readable times. A built-in library, available in every template."""

from datetime import datetime

from django import template

register = template.Library()


@register.filter
def instant(moment: datetime) -> str:
    """Format a time for `<time datetime>`, to the second.

    HTML allows no finer fraction than milliseconds.
    """
    return moment.isoformat(timespec="seconds")
