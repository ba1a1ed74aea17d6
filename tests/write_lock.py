"""Notes slow work that is done while a write transaction is open.

On SQLite an open transaction holds the one write lock of the whole site (BEGIN IMMEDIATE), on
PostgreSQL the rows that others wait for. So a transaction must not wait for anything slow: no
password hash, template, mail, cache, broker, event loop or new connection.

`watch` notes each of these. A test's own transaction does not count: neither the one that
pytest-django opens around a test, nor one that a file in tests/ opens.
"""

import sys
import traceback
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from asgiref.sync import AsyncToSync
from celery import Celery, Task
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache.backends.locmem import LocMemCache
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection
from django.db.transaction import Atomic
from django.test.signals import template_rendered

from config.cache.circuit_breaker import Fuse

ROOT = Path(__file__).resolve().parent.parent
OURS = tuple(f"{ROOT / part}/" for part in ("accounts", "games", "config"))
TESTS = f"{ROOT / 'tests'}/"

Place = tuple[str, str]


@dataclass
class Watch:
    """`offences` is the slow work under the lock; `finished` names our functions whose transaction
    ended without an exception."""

    offences: list[str] = field(default_factory=list)
    finished: set[Place] = field(default_factory=set)

    def note(self, what: str) -> None:
        if is_held():
            self.offences.append(f"{what}, at {_trace()}")


def is_held() -> bool:
    """Return whether the site has a transaction open in this thread."""
    return any(
        not block._from_testcase and not getattr(block, "_of_a_test", False)
        for block in connection.atomic_blocks
    )


@contextmanager
def watch() -> Iterator[Watch]:
    """Watch everything that this process does until the block ends."""
    seen = Watch()

    def rendered(sender: Any, template: Any, **kwargs: Any) -> None:
        seen.note(f"renders {template.name}")

    def noted(owner: type, name: str, what: str) -> Any:
        method = getattr(owner, name)

        def noting(*args: Any, **kwargs: Any) -> Any:
            seen.note(what)
            return method(*args, **kwargs)

        return patch.object(owner, name, noting)

    enter, leave = Atomic.__enter__, Atomic.__exit__

    def entering(block: Atomic) -> None:
        block._of_a_test = _caller(sys._getframe(1))[0].startswith(TESTS)
        enter(block)

    def leaving(block: Atomic, kind: type[BaseException] | None, *rest: Any) -> None:
        path, name = _caller(sys._getframe(1))
        if kind is None and path.startswith(OURS):
            seen.finished.add((str(Path(path).relative_to(ROOT)), name))
        leave(block, kind, *rest)

    with ExitStack() as stack:
        stack.enter_context(patch.object(Atomic, "__enter__", entering))
        stack.enter_context(patch.object(Atomic, "__exit__", leaving))
        for owner, names, what in _SLOW:
            for name in names:
                stack.enter_context(noted(owner, name, f"{what} ({name})"))
        template_rendered.connect(rendered, weak=False)
        stack.callback(template_rendered.disconnect, rendered)
        yield seen


class WatchedHasher(MD5PasswordHasher):
    """A hasher that is quick, as tests need it. Its two methods are watched like a slow one's."""

    def encode(self, password: str, salt: str) -> str:
        return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        return super().verify(password, encoded)


_SLOW: list[tuple[type, tuple[str, ...], str]] = [
    (WatchedHasher, ("encode", "verify"), "hashes a password"),
    (EmailBackend, ("send_messages",), "sends a mail"),
    (Task, ("apply_async",), "hands out a task"),
    (Celery, ("send_task",), "hands out a task"),
    (AsyncToSync, ("__call__",), "waits for the event loop"),
    (Fuse, ("call",), "asks Redis"),
    # In production the cache is in Redis. Caches built on these classes call them.
    (LocMemCache, ("add", "get", "set", "touch", "incr", "has_key", "delete"), "asks the cache"),
]


def _caller(frame: Any) -> tuple[str, str]:
    """Return the file and the function that open a transaction, by `with` or by a decorator."""
    if frame.f_code.co_filename.endswith("contextlib.py"):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_code.co_name


def _trace() -> str:
    """Return our own lines of the stack, the innermost first."""
    lines = [
        f"{Path(one.filename).relative_to(ROOT)}:{one.lineno} {one.name}"
        for one in traceback.extract_stack()
        if one.filename.startswith((*OURS, TESTS)) and one.filename != __file__
    ]
    return " < ".join(reversed(lines[-6:]))
