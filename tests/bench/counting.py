"""Counts what the machine is asked to do: SQL statements, and templates rendered.

BEGIN and COMMIT are not statements here: PostgreSQL's driver and SQLite's differ in who says
them. Everything else is, savepoints too.
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
    """What happened in this process, in every thread."""

    statements: list[str] = field(default_factory=list)
    # Outermost calls only: what a template includes is part of it.
    renders: list[str] = field(default_factory=list)

    def clear(self) -> None:
        self.statements.clear()
        self.renders.clear()


@contextmanager
def counting() -> Iterator[Counts]:
    """Counts from here to the end of the block."""
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
