"""The log sentence about an outage of the site."""

from datetime import timedelta

from django.utils.translation import ngettext


def interruption(lost: timedelta) -> str:
    """Return the sentence that the site was down for `lost` and the clock was set back by it."""
    seconds = round(lost.total_seconds())
    if seconds < 120:
        return ngettext(
            "The site was down for %(count)s second. That time is back on the clock.",
            "The site was down for %(count)s seconds. That time is back on the clock.",
            seconds,
        ) % {"count": seconds}
    minutes = round(seconds / 60)
    if minutes < 120:
        return ngettext(
            "The site was down for %(count)s minute. That time is back on the clock.",
            "The site was down for %(count)s minutes. That time is back on the clock.",
            minutes,
        ) % {"count": minutes}
    hours = round(minutes / 60)
    return ngettext(
        "The site was down for %(count)s hour. That time is back on the clock.",
        "The site was down for %(count)s hours. That time is back on the clock.",
        hours,
    ) % {"count": hours}
