"""Django's backend for PostgreSQL, for a server that is away, and for one that hangs."""

from typing import Any, Final

import psycopg
from django.db.backends.postgresql import base
from psycopg.errors import _WaitTimeout

from config.cache.circuit_breaker import Fuse

# Every request of every thread asks for a connection, and the pool makes each of them wait.
_FUSE: Final = Fuse(
    "The database", psycopg.OperationalError, rest=1.0, meanwhile="what needs it fails at once"
)

# Seconds that a page waits for the answer to a statement, and for that to the pool's check.
_STATEMENT_WITHIN: Final = 5.0
_CHECK_WITHIN: Final = 1.5


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        return _FUSE.call(
            lambda: super(DatabaseWrapper, self).get_new_connection(conn_params), _fail
        )

    def bound_waits(self) -> None:
        """Let no thread of this process wait for a server that hangs.

        Call it before the first connection. Commands and workers may wait: they have long
        statements, and go on when the server does.
        """
        self.settings_dict["OPTIONS"]["pool"]["connection_class"] = _ImpatientConnection


class _ImpatientConnection(psycopg.Connection[Any]):
    """A connection that closes when the server takes too long to answer.

    PostgreSQL has no option for it. A stopped server cannot see to its own time-outs, and
    `tcp_user_timeout` and keepalives ask its machine, which answers.
    """

    _within = _STATEMENT_WITHIN

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        try:
            return super().wait(gen, interval, timeout or self._within)
        except _WaitTimeout:
            # A late answer must not be taken for that to another statement.
            self.close()
            raise

    def execute(self, *args: Any, **kwargs: Any) -> psycopg.Cursor[Any]:
        """Execute the pool's check of an idle connection, since Django uses cursors only."""
        self._within = _CHECK_WITHIN
        try:
            return super().execute(*args, **kwargs)
        finally:
            self._within = _STATEMENT_WITHIN


def _fail() -> Any:
    raise psycopg.OperationalError("the database does not answer")
