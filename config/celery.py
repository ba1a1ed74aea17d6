"""Celery: the alarm clock (beat) and the hands (workers). See `games/tasks.py`."""

import os

from celery import Celery
from celery.signals import celeryd_init, worker_ready
from django.core.exceptions import ImproperlyConfigured

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("chancellery")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_init.connect
def refuse_half_a_configuration(**kwargs: object) -> None:
    from config.required import check_serving_settings

    try:
        check_serving_settings()
    except ImproperlyConfigured as error:
        raise SystemExit(str(error)) from None


@worker_ready.connect
def tell_the_numbers(**kwargs: object) -> None:
    """A worker answers no requests; its numbers have a door of their own where one is named."""
    from django.conf import settings
    from prometheus_client import start_http_server

    if settings.WORKER_METRICS:
        host, _, port = settings.WORKER_METRICS.rpartition(":")
        start_http_server(int(port), addr=host or "127.0.0.1")
