"""Tells everybody who watches that something changed: a number, never what.

The hint may be lost and the table may not: see DESIGN.md, "Live".
"""

import logging
from hashlib import sha256
from typing import Any, Final

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

from games.models import Table

LOBBY_GROUP: Final = "lobby"

logger = logging.getLogger(__name__)


def table_group(table: Table) -> str:
    return f"table.{table.pk}"


def person_group(user_pk: int) -> str:
    return f"person.{user_pk}"


def session_mark(session_key: str | None) -> str:
    """Names a session where its key must not be seen."""
    return sha256((session_key or "").encode()).hexdigest()


def announce_sign_out(user_pk: int, session_key: str | None) -> None:
    """Closes the sockets that this session opened."""
    message = {"type": "person.signed_out", "session": session_mark(session_key)}
    transaction.on_commit(lambda: _send(person_group(user_pk), message))


def announce_table(table: Table) -> None:
    """Once the transaction is committed, hints the table's new version to its sockets."""
    message = {"type": "screen.changed", "version": table.version}
    transaction.on_commit(lambda: _send(table_group(table), message))


def announce_lobby() -> None:
    """Once the transaction is committed, hints to the lobby that its list has changed."""
    transaction.on_commit(lambda: _send(LOBBY_GROUP, {"type": "screen.changed"}))


def _send(group: str, message: dict[str, Any]) -> None:
    try:
        async_to_sync(get_channel_layer().group_send)(group, message)
    except Exception:
        # Whatever the layer raises, the action is committed; polls bring it to everybody.
        logger.warning("the live layer did not take a hint for %s", group, exc_info=True)
