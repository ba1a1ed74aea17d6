"""The Celery application: the alarm clock (beat) and the workers. See `games/tasks.py`."""

import logging
import os
from collections.abc import Mapping
from functools import cache, partial
from typing import Any, Final

from celery import Celery, Task
from celery.app.amqp import AMQP
from celery.signals import beat_init, before_task_publish, celeryd_init, worker_ready
from django.core.exceptions import ImproperlyConfigured
from kombu import Connection
from kombu.pools import ProducerPool, producers

from config.cache.circuit_breaker import FUSE, IMPATIENT
from config.observability.queues import note_time
from config.serving.required_settings import check_serving_database, check_serving_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# System checks are for changes of code or settings. Here they would load every view, form and
# admin page into processes that serve no requests, which costs a second and memory for good.
os.environ.setdefault("CELERY_SKIP_CHECKS", "yes")

# The alarm clock's queue, which has workers of its own.
CLOCK_QUEUE: Final = "clock"
# The niceness of the other workers, in the steps of `nice`.
NICENESS: Final = 10

logger = logging.getLogger(__name__)


class PromptConnection(Connection):
    """A broker connection that retries twice a second for as long as the broker is away.

    Celery's own interval grows to half a minute, and every alarm could be that late. How often it
    retries is settings.CELERY_BROKER_CONNECTION_MAX_RETRIES.
    """

    def ensure_connection(self, *args: Any, **kwargs: Any) -> "PromptConnection":
        often = {"interval_start": 0.5, "interval_step": 0, "interval_max": 0.5}
        super().ensure_connection(*args, **often | kwargs)
        return self

    def collect(self, socket_timeout: float | None = None) -> None:
        """Drop the connection with its channel.

        kombu keeps a channel that could not be closed, and drops the transport. The worker then
        closes the channel once more, which needs the transport, and the worker dies:
        "'NoneType' object has no attribute 'hostname'".
        """
        try:
            super().collect(socket_timeout)
        finally:
            self._default_channel = None


class PromptAMQP(AMQP):
    Connection = PromptConnection


app = Celery("chancellery", amqp=PromptAMQP)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
before_task_publish.connect(note_time)


def task_named(name: str) -> "Task[Any, Any]":
    """Return a task of an application, "accounts.tasks.deliver_mail".

    For callers that the task's own module imports. The application must have loaded its tasks.
    """
    task: Task[Any, Any] = app.tasks[name]
    return task


def offer_task(task: "Task[Any, Any] | str", args: tuple[Any, ...], **how: Any) -> bool:
    """Send a task, or the one of this name, and return whether the broker took it.

    For callers who cannot wait. While the broker is away, one call in ten seconds waits, and no
    longer than for the cache.
    """
    send_off = partial(app.send_task, task) if isinstance(task, str) else task.apply_async

    def send() -> bool:
        with _impatient_producers().acquire(block=True) as producer:
            send_off(args, producer=producer, retry=False, **how)
        return True

    return FUSE.call(send, lambda: False)


@cache
def _impatient_producers() -> ProducerPool:
    waits = {name: IMPATIENT[name] for name in ("socket_connect_timeout", "socket_timeout")}
    pool: ProducerPool = producers[app.connection_for_write(transport_options=waits)]
    return pool


@beat_init.connect
@celeryd_init.connect
def check_configuration(**kwargs: object) -> None:
    """End the process if a setting is missing, or if the database is of another version."""
    try:
        check_serving_settings()
        check_serving_database()
    except ImproperlyConfigured as error:
        raise SystemExit(str(error)) from None


@celeryd_init.connect
def keep_the_clock_apart(options: Mapping[str, Any], **kwargs: object) -> None:
    """Make a worker serve either the clock's queue alone, or other queues at a low priority.

    The threads of a process take turns. If they shared a process with the clock, a task that
    computes for seconds would delay every alarm.
    """
    queues = set(options.get("queues") or app.amqp.queues)
    queues -= set(options.get("exclude_queues") or ())
    if CLOCK_QUEUE not in queues:
        # On Linux a thread inherits it from its parent thread, and no thread has started yet.
        os.nice(NICENESS)
    elif queues != {CLOCK_QUEUE}:
        raise SystemExit(
            "The clock's queue needs a worker of its own: start one with --queues clock and "
            "another with --queues default."
        )


@worker_ready.connect
def serve_metrics(**kwargs: object) -> None:
    """Serve the worker's metrics on settings.WORKER_METRICS, if set.

    A worker serves no requests, so its metrics need a port of their own.
    """
    from django.conf import settings
    from prometheus_client import start_http_server

    if settings.WORKER_METRICS:
        host, _, port = settings.WORKER_METRICS.rpartition(":")
        try:
            start_http_server(int(port), addr=host or "127.0.0.1")
        except OSError as error:
            # Under `play` both workers have the same settings; the first one reports.
            logger.warning("this worker's numbers are not told: %s", error.strerror)
