"""What the owner's machines may ask a process, and what everyone else sees instead."""

import json
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import redis
from channels.testing import HttpCommunicator
from django.utils import timezone
from prometheus_client import REGISTRY

from config.celery import app
from config.observability import health, queues
from config.observability.metrics import FIGURES
from config.serving.handler import ThreadedHandler
from games.models import Game, Pulse
from games.services import deadlines
from tests.builders.redis_server import Server
from tests.builders.sockets import does
from tests.builders.tables import run_table
from tests.nightly import by_day

pytestmark = pytest.mark.django_db(transaction=True)

TOKEN = "a token of the operator's"
NAMES_OF_PARTS = ("pulse_seconds", "worker_pulse_seconds", "beat_pulse_seconds")
PATHS = ("/healthz/live", "/healthz/ready", "/healthz/ready?all", "/metrics")

OVERDUE = "chancellery_overdue_seconds"


async def ask(path: str, *, peer: str = "127.0.0.1", host="10.0.0.3:8000", method="GET", **headers):
    """Return the status, the headers and the body that a process answers with."""
    pairs = [(b"host", host.encode())]
    pairs += [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    asked = HttpCommunicator(
        health.Health(ThreadedHandler(threads=1, queue=1)), method, path, headers=pairs
    )
    asked.scope["client"] = (peer, 4711)
    answer = await asked.get_response(timeout=10)
    return answer["status"], dict(answer["headers"]), answer["body"].decode()


async def ready(path: str = "/healthz/ready") -> tuple[int, dict]:
    status, _, body = await ask(path)
    return status, json.loads(body)


@pytest.fixture(scope="module")
def broker() -> Iterator[Server]:
    # Not in pytest's folder: a socket's path is limited to about a hundred bytes.
    with TemporaryDirectory(dir="/tmp") as folder:
        server = Server(Path(folder))
        server.start()
        yield server
        server.stop()


@pytest.fixture(autouse=True)
def _well(settings, broker):
    """Let Redis answer, and register the checks; the test's threads see the test's database."""
    settings.REDIS_URL = broker.url
    settings.METRICS_TOKEN = TOKEN
    health.register()
    yield
    redis.Redis.from_url(broker.url).flushall()


PARTS = (Pulse.Of.CLOCK, Pulse.Of.WORKER, Pulse.Of.BEAT)


def _beat(seconds: float = 0, parts: Sequence[Pulse.Of] = PARTS) -> None:
    for part in parts:
        deadlines.record_pulse(part, timezone.now() - timedelta(seconds=seconds))


beat = does(_beat)


# Who may ask --------------------------------------------------------------------------------------


async def test_health_is_told_by_any_host_name_to_this_machine_and_its_private_network():
    await beat()
    for peer in ("127.0.0.1", "172.17.0.1"):
        for path in PATHS[:3]:
            assert (await ask(path, peer=peer, host="no.such.host"))[0] == 200


@pytest.mark.parametrize("path", by_day(1, PATHS))
@pytest.mark.parametrize(
    "how",
    [
        {"peer": "93.184.216.34"},
        {"x_forwarded_for": "203.0.113.1"},
        {"x_forwarded_for": "127.0.0.1"},
        {"forwarded": "for=127.0.0.1"},
        {"peer": "93.184.216.34", "authorization": "Bearer wrong"},
        {"peer": "93.184.216.34", "authorization": ""},
    ],
)
async def test_for_everyone_else_there_is_no_such_address(path, how):
    status, headers, body = await ask(path, host="localhost", **how)
    elsewhere = await ask("/healthz/nothing", host="localhost", **how)

    assert status == elsewhere[0] == 404
    assert set(headers) == set(elsewhere[1])
    assert "live" not in body[:20] and "chancellery_" not in body


async def test_the_numbers_are_for_who_holds_the_token_from_anywhere_and_for_no_one_else(settings):
    token = f"Bearer {TOKEN}"
    for how in ({}, {"peer": "93.184.216.34", "x_forwarded_for": "203.0.113.1"}):
        assert (await ask("/metrics", authorization=token, **how))[0] == 200
    assert (await ask("/metrics", host="localhost"))[0] == 404
    settings.METRICS_TOKEN = ""
    for sent in (token, "Bearer ", "Bearer"):
        assert (await ask("/metrics", host="localhost", authorization=sent))[0] == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "OPTIONS"])
async def test_no_one_can_do_more_than_ask(method):
    for path in PATHS[:2]:
        assert (await ask(path, host="localhost", method=method))[0] in (403, 404, 405)
    assert (await ask("/healthz/live", method="HEAD"))[2] == ""


# Readiness ----------------------------------------------------------------------------------------


async def test_it_is_ready_where_all_is_well():
    await beat()

    status, told = await ready("/healthz/ready?all")

    assert (status, told["status"]) == (200, "ready")
    assert told["redis"] == told["database"] == "ok"


async def test_it_is_not_ready_while_it_drains_and_still_lives(monkeypatch):
    await beat()
    monkeypatch.setattr(health, "is_draining", lambda: True)

    status, told = await ready()

    assert (status, told["status"], told["draining"]) == (503, "not ready", True)
    assert (await ask("/healthz/live"))[0] == 200


async def test_it_is_not_ready_without_its_database(monkeypatch):
    def gone(now):
        raise RuntimeError("password=secret")

    monkeypatch.setitem(FIGURES, OVERDUE, ("", gone))

    status, told = await ready()

    assert (status, told["status"], told["database"]) == (503, "not ready", "RuntimeError")


async def test_a_database_that_never_answers_is_gone(monkeypatch):
    monkeypatch.setattr(health, "PATIENCE", 0.05)
    answers = threading.Event()
    monkeypatch.setitem(FIGURES, OVERDUE, ("", lambda now: answers.wait(60)))

    status, told = await ready()
    answers.set()

    assert (status, told["database"]) == (503, "too slow")


async def test_a_monitor_is_told_that_the_cache_has_no_database(settings, broker):
    settings.CACHE_URL = f"{broker.url}?db=999"
    await beat()

    assert (await ready())[0] == 200
    status, told = await ready("/healthz/ready?all")
    assert (status, told["redis"], told["cache"]) == (503, "ok", "ResponseError")


async def test_without_redis_it_serves_on_and_a_monitor_is_told(settings):
    await beat()
    settings.REDIS_URL = "redis://:password@127.0.0.1:1"

    status, told = await ready()

    assert (status, told["status"], told["redis"]) == (200, "ailing", "ConnectionError")
    assert (await ready("/healthz/ready?all"))[0] == 503


async def test_a_monitor_is_told_when_the_alarm_clock_stands_still():
    assert (await ready("/healthz/ready?all"))[0] == 503

    await beat(60)

    status, told = await ready("/healthz/ready?all")
    assert (status, told["status"]) == (503, "ailing")
    assert 60 <= told["pulse_seconds"] < 70
    assert (await ready())[0] == 200


@pytest.mark.parametrize(("part", "name"), list(zip(PARTS, NAMES_OF_PARTS, strict=True)))
async def test_a_monitor_is_told_which_part_stands_still(part, name):
    await beat()
    await beat(90, (part,))

    status, told = await ready("/healthz/ready?all")

    assert (status, told["status"]) == (503, "ailing")
    assert [each for each in NAMES_OF_PARTS if told[each] > 60] == [name]


async def test_a_pulse_from_the_future_is_none():
    await beat()
    await beat(-3600, PARTS[:1])

    status, told = await ready("/healthz/ready?all")

    assert (status, told["status"]) == (503, "ailing")
    assert told["pulse_seconds"] < -3500


async def test_a_monitor_is_told_of_tasks_that_no_worker_takes(broker, monkeypatch):
    await beat()
    with monkeypatch.context() as past:
        past.setattr(queues, "time", lambda: time.time() - 90)
        await does(send)(broker, "games.tasks.send_notices")
    await does(send)(broker, "games.tasks.send_notices")

    status, told = await ready("/healthz/ready?all")
    numbers = (await ask("/metrics", authorization=f"Bearer {TOKEN}"))[2]

    assert (status, told["status"]) == (503, "ailing")
    assert told["queues"]["clock"] == {"length": 0, "oldest_seconds": 0}
    assert told["queues"]["default"]["length"] == 2
    assert 90 <= told["queues"]["default"]["oldest_seconds"] < 100
    assert 'chancellery_queue_length{queue="default"} 2.0' in numbers
    assert 'chancellery_queue_oldest_seconds{queue="default"} 9' in numbers


def send(broker: Server, name: str) -> None:
    with app.connection_for_write(broker.url.replace("unix://", "redis+socket://")) as connection:
        app.send_task(name, connection=connection)


async def test_a_monitor_is_told_of_a_game_that_no_one_moves():
    table = await does(run_table)()
    await beat()
    long_ago = timezone.now() - timedelta(minutes=2)
    await does(Game.objects.filter(table=table).update)(wakes_at=long_ago)

    status, told = await ready("/healthz/ready?all")

    assert (status, told["status"]) == (503, "ailing")
    assert 120 <= told["overdue_seconds"] < 130


# Metrics ------------------------------------------------------------------------------------------


def sample(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


async def test_the_numbers_tell_how_many_play_and_name_no_table_and_no_person():
    table = await does(run_table)()
    await beat()

    _, _, body = await ask("/metrics", authorization=f"Bearer {TOKEN}")

    assert "chancellery_games_running 1.0" in body
    assert "chancellery_overdue_seconds 0.0" in body
    for word in (table.code, table.invitation, "Ada", "hitler", "fascist", "liberal"):
        assert word.lower() not in body.lower()


def test_every_label_has_few_values_that_are_known_before_anyone_plays():
    allowed = {"answer", "route", "method", "status", "screen", "code", "le", "queue"}
    ours = [metric for metric in REGISTRY.collect() if metric.name.startswith("chancellery")]

    assert ours
    for metric in ours:
        for each in metric.samples:
            assert set(each.labels) <= allowed, each


def test_a_move_is_timed_as_accepted_or_refused(table, seated):
    name = "chancellery_action_seconds_count"
    before = sample(name, answer="accepted"), sample(name, answer="refused")

    seated[0].press("nominate:2")
    seated[0].post(f"{seated[0].url}act/", {"choice": "nominate:2"})

    after = sample(name, answer="accepted"), sample(name, answer="refused")
    assert after == (before[0] + 1, before[1] + 1)


def test_an_address_that_no_one_knows_makes_no_new_number(client):
    before = {each.labels.get("route") for m in REGISTRY.collect() for each in m.samples}
    for number in range(5):
        client.get(f"/nowhere-{number}/")
        client.generic(f"ODD{number}", "/")

    after = {each.labels.get("route") for m in REGISTRY.collect() for each in m.samples}
    assert after - before <= {"unknown", "games:lobby"}
    methods = {each.labels.get("method") for m in REGISTRY.collect() for each in m.samples}
    assert not any(method and method.startswith("ODD") for method in methods)


def test_the_sweeper_s_lag_is_how_long_the_longest_waited(table):
    from games.tasks import wake_due_games

    name = "chancellery_sweeper_lag_seconds_sum"
    Game.objects.filter(table=table).update(wakes_at=timezone.now() - timedelta(seconds=40))
    before = sample(name)

    wake_due_games()

    assert 40 <= sample(name) - before < 50
