import gc

# What a start loads makes a million objects that all stay, and to look through them for garbage
# again and again is a sixth of its time. `games.apps` lets it be done from there on.
gc.disable()

from config.celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]
