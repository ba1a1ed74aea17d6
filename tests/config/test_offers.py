"""What a request sends to the broker is taken at once or not at all."""

import json
import signal
from collections.abc import Iterator

import pytest
import redis

from config import celery
from config.cache.circuit_breaker import FUSE
from tests.builders.redis_server import Server, rested, running_server

NAME = "games.tasks.settle_question"


@pytest.fixture
def broker(tmp_path_factory, monkeypatch) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("b")
    with running_server(folder, monkeypatch) as server:
        monkeypatch.setattr(
            celery.app.conf, "broker_url", server.url.replace("unix://", "redis+socket://")
        )
        celery._impatient_producers.cache_clear()
        yield server
        celery._impatient_producers.cache_clear()
        rested(monkeypatch)


def waiting(broker: Server) -> list[int]:
    messages = redis.Redis.from_url(broker.url).lrange("clock", 0, -1)
    return [json.loads(message)["headers"]["argsrepr"] for message in messages][::-1]


def test_a_broker_that_is_there_takes_it(broker) -> None:
    assert celery.offer_task(NAME, (7,))
    assert waiting(broker) == ["(7,)"]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_while_the_broker_is_away_it_is_lost_and_afterwards_it_is_not(
    broker, how, monkeypatch
) -> None:
    assert celery.offer_task(NAME, (1,))

    broker.process.send_signal(how)
    assert not celery.offer_task(NAME, (2,))
    # All who ask meanwhile do not even try.
    assert not FUSE.call(lambda: True, lambda: False)

    if how == signal.SIGKILL:
        broker.process.wait()
        broker.start()
    else:
        broker.process.send_signal(signal.SIGCONT)
    rested(monkeypatch)
    assert celery.offer_task(NAME, (3,))
    assert waiting(broker)[-1] == "(3,)"
