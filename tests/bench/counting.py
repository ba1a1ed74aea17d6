"""Counters for the work of a process: SQL statements, and rendered templates.

BEGIN and COMMIT are not counted: the drivers of PostgreSQL and SQLite differ in who sends them.
All other statements are counted, including savepoints.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from threading import Lock, local
from typing import Any

from django.db.backends.utils import CursorWrapper
from django.template.base import Template

_NOT_COUNTED = ("BEGIN", "COMMIT", "ROLLBACK;", "PRAGMA")


@dataclass
class Counts:
    """The work of this process, in all its threads."""

    statements: list[str] = field(default_factory=list)
    # Outermost calls only: an included template is part of the one that includes it.
    renders: list[str] = field(default_factory=list)

    def clear(self) -> None:
        self.statements.clear()
        self.renders.clear()


@contextmanager
def counting() -> Iterator[Counts]:
    """Count from here to the end of the block."""
    counts, lock, depth = Counts(), Lock(), local()
    execute, executemany, render = (
        CursorWrapper.execute,
        CursorWrapper.executemany,
        Template.render,
    )

    def note(sql: object) -> None:
        text = str(sql).lstrip()
        if not text.upper().startswith(_NOT_COUNTED):
            with lock:
                counts.statements.append(text)

    @wraps(execute)
    def counted_execute(self: CursorWrapper, sql: Any, params: Any = None) -> Any:
        note(sql)
        return execute(self, sql, params)

    @wraps(executemany)
    def counted_executemany(self: CursorWrapper, sql: Any, param_list: Any) -> Any:
        note(sql)
        return executemany(self, sql, param_list)

    @wraps(render)
    def counted_render(self: Template, context: Any) -> Any:
        outer = getattr(depth, "now", 0)
        if outer == 0:
            with lock:
                counts.renders.append(self.name or "")
        depth.now = outer + 1
        try:
            return render(self, context)
        finally:
            depth.now = outer

    CursorWrapper.execute = counted_execute  # type: ignore[method-assign]
    CursorWrapper.executemany = counted_executemany  # type: ignore[method-assign]
    Template.render = counted_render  # type: ignore[method-assign]
    try:
        yield counts
    finally:
        CursorWrapper.execute = execute  # type: ignore[method-assign]
        CursorWrapper.executemany = executemany  # type: ignore[method-assign]
        Template.render = render  # type: ignore[method-assign]
