from typing import Any, Final

import psycopg
from django.db.backends.postgresql import base

from config.cache.circuit_breaker import Fuse

# Every request of every thread asks for a connection, and the pool makes each of them wait.
_FUSE: Final = Fuse(
    "The database", psycopg.OperationalError, rest=1.0, meanwhile="what needs it fails at once"
)


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        return _FUSE.call(
            lambda: super(DatabaseWrapper, self).get_new_connection(conn_params), _fail
        )


def _fail() -> Any:
    raise psycopg.OperationalError("the database does not answer")
