"""Lifts the write protection of the audit's rows while a whole database is replaced."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db.backends.base.base import BaseDatabaseWrapper

from accounts.models import AuditEntry


@contextmanager
def unsealed(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Allow emptying the audit within the block: for a restored backup, in its transaction.

    On PostgreSQL the audit is emptied by TRUNCATE, which its triggers allow.
    """
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s",
            [AuditEntry._meta.db_table],
        )
        seals = cursor.fetchall()
        for name, _sql in seals:
            cursor.execute(f"DROP TRIGGER {connection.ops.quote_name(name)}")
        yield
        for _name, sql in seals:
            cursor.execute(sql)
