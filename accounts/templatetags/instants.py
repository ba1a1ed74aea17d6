"""Moments as machines read them in a page. A builtin library: every template has it."""

from datetime import datetime

from django import template

register = template.Library()


@register.filter
def instant(moment: datetime) -> str:
    """For `<time datetime>`: to the second. HTML takes no finer fraction than a thousandth."""
    return moment.isoformat(timespec="seconds")
