import gc

# Loading the site creates a million objects that all stay alive. Scanning them for garbage again
# and again takes a sixth of the start-up time. `games.apps` turns collection on again.
gc.disable()

from config.celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]
