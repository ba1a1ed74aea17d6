"""How many tasks wait in Celery's queues on Redis, and for how long the oldest one has."""

import json
from dataclasses import dataclass
from time import time
from typing import Any, Final

import redis
from django.conf import settings

_SENT_AT: Final = "sent_at"


@dataclass(frozen=True)
class Waiting:
    """The tasks in one queue that no worker has taken yet."""

    length: int
    oldest_seconds: float
    """Zero if the queue is empty."""


def note_time(headers: dict[str, Any], **kwargs: object) -> None:
    """Write into a message when it was sent, which Celery does not do."""
    headers[_SENT_AT] = time()


def queues(client: redis.Redis) -> dict[str, Waiting]:
    """Return what waits, by the queue's name."""
    names = [queue.name for queue in settings.CELERY_TASK_QUEUES]
    with client.pipeline(transaction=False) as pipe:
        for name in names:
            # kombu pushes on the left and pops on the right.
            pipe.llen(name)
            pipe.lindex(name, -1)
        answers = pipe.execute()
    return {
        name: Waiting(length, _age(oldest))
        for name, length, oldest in zip(names, answers[::2], answers[1::2], strict=True)
    }


def _age(message: bytes | None) -> float:
    if message is None:
        return 0.0
    sent_at = json.loads(message)["headers"].get(_SENT_AT)
    # A message of an older version does not say when it was sent.
    return 0.0 if sent_at is None else round(max(time() - sent_at, 0.0), 1)
