"""The log sentence about an outage of the site."""

from datetime import timedelta

from django.utils.translation import ngettext


def interruption(lost: timedelta) -> str:
    """Return the sentence that the site was down for `lost` and the clock was set back by it."""
    seconds = round(lost.total_seconds())
    if seconds < 120:
        return ngettext(
            "The site was down for %(count)s second; the lost time has been given back.",
            "The site was down for %(count)s seconds; the lost time has been given back.",
            seconds,
        ) % {"count": seconds}
    minutes = round(seconds / 60)
    if minutes < 120:
        return ngettext(
            "The site was down for %(count)s minute; the lost time has been given back.",
            "The site was down for %(count)s minutes; the lost time has been given back.",
            minutes,
        ) % {"count": minutes}
    hours = round(minutes / 60)
    return ngettext(
        "The site was down for %(count)s hour; the lost time has been given back.",
        "The site was down for %(count)s hours; the lost time has been given back.",
        hours,
    ) % {"count": hours}
