"""Rows written past the ORM: COPY on PostgreSQL, one prepared statement on SQLite.

The rows are complete: they bring their primary keys, and no foreign key is checked.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

from django.core.management.color import no_style
from django.db import connection, models

# Kilobytes of SQLite's cache of pages: what the loader may keep of the indexes that it writes.
_CACHE = 64 * 1024


class Sink:
    """Takes rows of a model, each as the values of `columns`. All other columns have defaults."""

    def __init__(self, model: type[models.Model], columns: Sequence[str], **same: object) -> None:
        """`same` are values, by the name of the field, that all rows share."""
        fields = {field.name: field for field in model._meta.concrete_fields}
        rest = [
            name
            for name, field in fields.items()
            if name not in columns and not (field.primary_key and field.remote_field is None)
        ]
        quoted = connection.ops.quote_name
        names = [quoted(fields[name].column) for name in (*columns, *rest)]
        self._table = quoted(model._meta.db_table)
        self._columns = ", ".join(names)
        self._marks = ", ".join(["%s"] * len(names))
        self._rest = tuple(
            stored(same[name] if name in same else fields[name].get_default()) for name in rest
        )

    def write(self, rows: Iterable[tuple[object, ...]]) -> None:
        """Write rows whose values are as `stored` returns them."""
        whole = (row + self._rest for row in rows)
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                with cursor.copy(f"COPY {self._table} ({self._columns}) FROM STDIN") as copy:
                    for row in whole:
                        copy.write_row(row)
            else:
                sql = f"INSERT INTO {self._table} ({self._columns}) VALUES ({self._marks})"
                cursor.executemany(sql, whole)


def stored(value: object) -> object:
    """Return a value as the drivers of both databases take it."""
    if isinstance(value, dict | list):
        return json.dumps(value)
    if isinstance(value, datetime):
        moment = value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
        written = moment.isoformat(" ", "microseconds")
        return written if connection.vendor == "sqlite" else f"{written}+00"
    return value


@contextmanager
def fast_writes() -> Iterator[None]:
    """Do without durability and checks of foreign keys until the end of the block."""
    is_sqlite = connection.vendor == "sqlite"
    if is_sqlite:
        before = [f"PRAGMA cache_size = -{_CACHE}", "PRAGMA synchronous = OFF"]
        before.append("PRAGMA foreign_keys = OFF")
        after = ["PRAGMA synchronous = NORMAL", "PRAGMA foreign_keys = ON"]
    else:
        # PostgreSQL checks foreign keys by triggers, which its superuser can leave out.
        before = ["SET session_replication_role = replica"]
        after = ["SET session_replication_role = DEFAULT"]
    _execute(before)
    try:
        yield
    finally:
        _execute(after)


def settle_down(kinds: Iterable[type[models.Model]]) -> None:
    """Let new primary keys follow those written, and let PostgreSQL count its rows.

    It does so by itself on a running site. SQLite does not, so its plans know no counts there.
    """
    counts = ["ANALYZE"] if connection.vendor == "postgresql" else []
    _execute([*connection.ops.sequence_reset_sql(no_style(), list(kinds)), *counts])


def _execute(statements: Iterable[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
