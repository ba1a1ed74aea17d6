"""Liveness, readiness and metrics of this process, for the owner's monitoring.

These three endpoints are answered before Django, so that they need no host name, no redirect to
TLS and no web thread:

    /healthz/live   The process answers at all. If it does not, restart it.
    /healthz/ready  The process can serve. 503 while it drains or its database is unavailable.
                    Other failures are reported but do not change the status: without Redis or
                    the alarm clock, tables still update by polls and moves, and a load balancer
                    that took every process out would turn the failure into an outage. Monitors
                    use /healthz/ready?all, which is 503 for any failure.
    /metrics        Prometheus' text format. Needs `Authorization: Bearer <METRICS_TOKEN>`.

The first two answer only this machine and its private network, and not through a proxy. Requests
that are not allowed go on to Django, which answers 404, so that a forbidden URL looks like an
unknown one.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import cache
from typing import Any, Final
from urllib.parse import parse_qs

import redis
from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest
from prometheus_client.core import GaugeMetricFamily

from config.http.client_address import came_directly, headers_of
from config.observability.metrics import FIGURES, read_figure
from config.observability.queues import queues
from config.serving.draining import is_draining

# Seconds that the checks of one request may take.
PATIENCE: Final = 2.0
# Seconds. The alarm clock ticks every second; it is late after this many.
LATE: Final = 15.0
# Seconds. What can wait may wait for so long: a few long tasks occupy its worker.
LATE_FOR_WORKER: Final = 60.0
# The pulses in an answer: whose, the figure, and when it is late.
_PULSES: Final = {
    "pulse_seconds": ("chancellery_pulse_age_seconds", LATE),
    "beat_pulse_seconds": ("chancellery_beat_pulse_age_seconds", LATE),
    "worker_pulse_seconds": ("chancellery_worker_pulse_age_seconds", LATE_FOR_WORKER),
}

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]
Answer = tuple[int, str, bytes]

logger = logging.getLogger(__name__)
# Not a web thread: a process whose web threads are all busy can still report its health.
_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="health")


class Health:
    """Answers the three endpoints and passes all other requests to the application."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        answer = await _answer(scope)
        if answer is None:
            await self.application(scope, receive, send)
            return
        status, kind, body = answer
        headers = {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
        }
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": pairs})
        if scope["method"] == "HEAD":
            body = b""
        await send({"type": "http.response.body", "body": body})


async def _answer(scope: dict[str, Any]) -> Answer | None:
    if scope["method"] not in ("GET", "HEAD"):
        return None
    match scope["path"]:
        case "/healthz/live" if came_directly(scope):
            return 200, "text/plain", b"live\n"
        case "/healthz/ready" if came_directly(scope):
            asked = parse_qs(scope.get("query_string", b"").decode("latin-1"), True)
            return await _ready(is_strict="all" in asked)
        case "/metrics" if _has_token(scope):
            slow: Answer = 503, "text/plain", b"the database is too slow\n"
            answer: Answer = await _in_thread(_metrics, slow)
            return answer
    return None


def _has_token(scope: dict[str, Any]) -> bool:
    sent = headers_of(scope, "authorization")
    wanted = settings.METRICS_TOKEN
    return bool(wanted) and len(sent) == 1 and constant_time_compare(sent[0], f"Bearer {wanted}")


async def _ready(*, is_strict: bool) -> Answer:
    found: dict[str, Any] = {"draining": is_draining()}
    found |= await _in_thread(_checks, {"database": "too slow"})
    is_ready = not is_draining() and found["database"] == "ok"
    is_well = (
        is_ready
        and found["redis"] == "ok"
        and found.get("cache", "ok") == "ok"
        and found["overdue_seconds"] <= LATE
        # A pulse from the future says nothing: the machine's clock was set back since.
        and all(
            found[name] is not None and abs(found[name]) <= late
            for name, (_, late) in _PULSES.items()
        )
        and all(each["oldest_seconds"] <= LATE_FOR_WORKER for each in found["queues"].values())
    )
    status = "ready" if is_well else "ailing" if is_ready else "not ready"
    body = json.dumps({"status": status, **found}) + "\n"
    serves = is_well if is_strict else is_ready
    return 200 if serves else 503, "application/json", body.encode()


async def _in_thread(work: Callable[[], Any], too_late: Any) -> Any:
    """Return the result of `work`, or `too_late` if it takes longer than PATIENCE."""
    running = asyncio.get_running_loop().run_in_executor(_thread, work)
    try:
        return await asyncio.wait_for(asyncio.shield(running), PATIENCE)
    except TimeoutError:
        return too_late


def _checks() -> dict[str, Any]:
    """Return the state of the shared services; for an error its type only, not its message."""
    now = timezone.now()
    try:
        found: dict[str, Any] = {
            "database": "ok",
            "overdue_seconds": round(read_figure("chancellery_overdue_seconds", now) or 0.0, 1),
        }
        for name, (figure, _) in _PULSES.items():
            found[name] = read_figure(figure, now)
    except Exception as error:
        found = {"database": type(error).__name__}
    finally:
        _close_connection()
    try:
        found["queues"] = {name: asdict(each) for name, each in queues(_client()).items()}
        found["redis"] = "ok"
    except Exception as error:
        found["redis"] = type(error).__name__
    if settings.CACHE_URL:
        try:
            _redis(settings.CACHE_URL).ping()
            found["cache"] = "ok"
        except Exception as error:
            found["cache"] = type(error).__name__
    return found


def _close_connection() -> None:
    # Close the connection, or return it to the pool, after each check. A test's own stays open.
    if not connection.in_atomic_block:
        connection.close()


def _client() -> redis.Redis:
    return _redis(settings.REDIS_URL)


@cache
def _redis(url: str) -> redis.Redis:
    return redis.Redis.from_url(
        url, socket_connect_timeout=PATIENCE / 4, socket_timeout=PATIENCE / 4, retry=None
    )


def _metrics() -> Answer:
    try:
        return 200, CONTENT_TYPE_LATEST, generate_latest(REGISTRY)
    finally:
        _close_connection()


class _Shared:
    """A Prometheus collector for what all processes share; what is away is left out."""

    def describe(self) -> list[GaugeMetricFamily]:
        figures = [GaugeMetricFamily(name, about) for name, (about, _) in FIGURES.items()]
        return [*figures, *_queue_gauges()]

    def collect(self) -> Iterator[GaugeMetricFamily]:
        now = timezone.now()
        for name, (about, ask) in FIGURES.items():
            try:
                value = ask(now)
            except Exception as error:
                logger.warning("no number for %s: %s", name, type(error).__name__)
                continue
            if value is not None:
                yield GaugeMetricFamily(name, about, value)
        lengths, ages = _queue_gauges()
        try:
            waiting = queues(_client())
        except Exception as error:
            logger.warning("no numbers for the queues: %s", type(error).__name__)
            return
        for name, each in waiting.items():
            lengths.add_metric([name], each.length)
            ages.add_metric([name], each.oldest_seconds)
        yield lengths
        yield ages


def _queue_gauges() -> tuple[GaugeMetricFamily, GaugeMetricFamily]:
    return (
        GaugeMetricFamily(
            "chancellery_queue_length", "Tasks that no worker has taken yet.", labels=["queue"]
        ),
        GaugeMetricFamily(
            "chancellery_queue_oldest_seconds",
            "For how long the oldest of these tasks has waited.",
            labels=["queue"],
        ),
    )


def register() -> None:
    """Add the database's metrics to /metrics, once per serving process."""
    if not _shared:
        _shared.append(_Shared())
        REGISTRY.register(_shared[0])


_shared: list[_Shared] = []
