"""What a process that serves people cannot do without."""

import os

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


def check_serving_settings() -> None:
    """Raises ImproperlyConfigured, naming each environment variable that is missing.

    A public site, one with an https:// SITE_URL, has to say two things more that the others
    may leave to us: a database left to its default would be lost with the machine, and
    a wrong guess about proxies either turns every page in a circle or believes forged addresses.
    """
    wanted = {
        "SECRET_KEY": settings.SECRET_KEY_LASTS,
        "REDIS_URL": bool(settings.REDIS_URL),
    }
    if settings.IS_SECURE:
        wanted |= {
            "DATABASE_URL": settings.DATABASE_IS_NAMED,
            "TRUSTED_PROXIES": "TRUSTED_PROXIES" in os.environ,
        }
    missing = [name for name, is_set in wanted.items() if not is_set]
    if missing:
        *others, last = missing
        names = f"{', '.join(others)} and {last}" if others else last
        words = f"Set {names} in the environment"
        if settings.IS_SECURE:
            raise ImproperlyConfigured(f"{words}: see the table in README.md.")
        raise ImproperlyConfigured(f"{words} (`manage.py play` does it for you).")
    if settings.IS_SECURE and settings.DEBUG:
        raise ImproperlyConfigured("DEBUG shows strangers the site's inside: unset it.")
