"""The check of what web and worker processes require: settings, catalogs and the database."""

import logging
import os
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connections

from config.db.history import WrongDatabase, check_database
from config.i18n.catalogs import stale_catalogs

logger = logging.getLogger(__name__)


def check_serving_settings() -> None:
    """Check the settings that a serving process needs.

    Raises ImproperlyConfigured, which names each missing environment variable. A public site,
    one with an https:// SITE_URL, also has to set two variables for which the default would be
    harmful: the default database would be lost with the machine, and a wrong guess about proxies
    either redirects every page to itself or trusts forged addresses.
    """
    wanted = {
        "SECRET_KEY": settings.SECRET_KEY_LASTS,
        "REDIS_URL": bool(settings.REDIS_URL),
    }
    if settings.IS_SECURE:
        wanted |= {
            "DATABASE_URL": settings.DATABASE_IS_NAMED,
            "TRUSTED_PROXIES": bool(os.environ.get("TRUSTED_PROXIES", "").strip()),
        }
    missing = [name for name, is_set in wanted.items() if not is_set]
    if missing:
        *others, last = missing
        names = f"{', '.join(others)} and {last}" if others else last
        words = f"Set {names} in the environment"
        if settings.IS_SECURE:
            raise ImproperlyConfigured(f"{words}: see .env.example.")
        raise ImproperlyConfigured(f"{words} (`manage.py play` does it for you).")
    if settings.IS_SECURE and settings.DEBUG:
        raise ImproperlyConfigured("DEBUG shows strangers the site's inside: unset it.")
    check_catalogs()


def check_catalogs() -> None:
    """Raise ImproperlyConfigured if a message catalog is not compiled.

    The site would show that language in English, or the sentences of an older release.
    """
    stale = [path for folder in settings.LOCALE_PATHS for path in stale_catalogs(Path(folder))]
    if stale:
        raise ImproperlyConfigured(
            f"Run `manage.py language compile`: {stale[0]} is newer than its compiled form, "
            "or has none."
        )


def check_serving_database() -> None:
    """Raise ImproperlyConfigured if the database is of another version of the site.

    While it does not answer, a process starts all the same, and answers 503 until it does.
    """
    try:
        check_database()
    except WrongDatabase as error:
        raise ImproperlyConfigured(str(error)) from error
    except DatabaseError as error:
        logger.warning("the version of the database is not checked: %s", str(error).strip())
    finally:
        connections.close_all()
