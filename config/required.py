"""What a process that serves people cannot do without."""

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


def check_serving_settings() -> None:
    """Raises ImproperlyConfigured, naming each environment variable that is missing."""
    missing = [
        name
        for name, is_set in (
            ("SECRET_KEY", settings.SECRET_KEY_LASTS),
            ("REDIS_URL", bool(settings.REDIS_URL)),
        )
        if not is_set
    ]
    if missing:
        raise ImproperlyConfigured(
            f"Set {' and '.join(missing)} in the environment (`manage.py play` does it for you)."
        )
