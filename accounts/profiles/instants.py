"""Times as people read them: always with the zone that they are in."""

from datetime import datetime, tzinfo

from django.utils import timezone
from django.utils.formats import date_format

from accounts.models import User
from accounts.profiles.locale_names import zone_of


def zoned(moment: datetime, style: str = "SHORT_DATETIME_FORMAT") -> str:
    """Return a time in the active zone, and the zone: "2 Jul 2026, 01:30 CEST".

    A page is in its reader's zone (accounts/profiles/appearance.py), a mail in its receiver's, and
    what all viewers of a table share in UTC.
    """
    here = timezone.localtime(moment)
    return f"{date_format(here, style)} {here:%Z}"


def zone_for(user: User | None) -> tzinfo:
    """Return the zone of what is sent to `user`: the account's, else the site's."""
    return zone_of(user.time_zone if user else "") or timezone.get_default_timezone()
