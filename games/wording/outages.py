"""An outage of the site, told at a table."""

from datetime import timedelta

from django.utils.translation import ngettext


def interruption(lost: timedelta) -> str:
    """That the site was away for `lost`, and that the table's clock was set back by as much."""
    seconds = round(lost.total_seconds())
    if seconds < 120:
        return ngettext(
            "The site was away for %(count)s second; the clock was set back by as much.",
            "The site was away for %(count)s seconds; the clock was set back by as much.",
            seconds,
        ) % {"count": seconds}
    minutes = round(seconds / 60)
    if minutes < 120:
        return ngettext(
            "The site was away for %(count)s minute; the clock was set back by as much.",
            "The site was away for %(count)s minutes; the clock was set back by as much.",
            minutes,
        ) % {"count": minutes}
    hours = round(minutes / 60)
    return ngettext(
        "The site was away for %(count)s hour; the clock was set back by as much.",
        "The site was away for %(count)s hours; the clock was set back by as much.",
        hours,
    ) % {"count": hours}
