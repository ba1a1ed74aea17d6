"""Celery: the alarm clock (beat) and the hands (workers). See `games/tasks.py`."""

import os
from typing import Any

from celery import Celery
from celery.app.amqp import AMQP
from celery.signals import celeryd_init, worker_ready
from django.core.exceptions import ImproperlyConfigured
from kombu import Connection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# `manage.py check` is for whoever changes code or settings. Here it would load every view, form
# and page of the admin into processes that answer nobody: a second, and their memory for good.
os.environ.setdefault("CELERY_SKIP_CHECKS", "yes")


class PromptConnection(Connection):
    """Looks for a broker that is away twice a second, however long it was away.

    Celery's own patience grows to half a minute, and every alarm would be as late as that.
    """

    def ensure_connection(self, *args: Any, **kwargs: Any) -> "PromptConnection":
        often = {"interval_start": 0.5, "interval_step": 0, "interval_max": 0.5}
        super().ensure_connection(*args, **often | kwargs)
        return self


class PromptAMQP(AMQP):
    Connection = PromptConnection


app = Celery("chancellery", amqp=PromptAMQP)
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
