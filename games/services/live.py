"""Tells everybody who watches that something changed: a number, never what.

The hint may be lost and the table may not: see DESIGN.md, "Live".
"""

import logging
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

from games import rooms
from games.models import Table
from games.rooms import Room

LOBBY_GROUP: Final = "lobby"

logger = logging.getLogger(__name__)

# In a process that serves sockets, its hub: it takes a hint for its own sockets and sends it on
# to the other processes, while whoever caused it waits for neither.
_Carrier = Callable[[str, dict[str, Any]], bool]
_carriers: list[_Carrier] = []


def carry_by(carrier: _Carrier) -> None:
    """From now on `carrier` is offered every hint; it answers whether it has taken it."""
    _carriers[:] = [carrier]


def table_group(table_pk: int) -> str:
    return f"table.{table_pk}"


def person_group(user_pk: int) -> str:
    return f"person.{user_pk}"


def session_mark(session_key: str | None) -> str:
    """Names a session where its key must not be seen."""
    return sha256((session_key or "").encode()).hexdigest()


def announce_sign_out(user_pk: int, session_key: str | None) -> None:
    """Closes the sockets that this session opened."""
    _on_commit(
        person_group(user_pk),
        {"type": "person.signed_out", "session": session_mark(session_key), "user": user_pk},
    )


def announce_person(user_pk: int) -> None:
    """Has it checked at once whether this person's sockets may stay open."""
    _on_commit(person_group(user_pk), {"type": "person.changed", "user": user_pk})


def announce_room(room: Room) -> None:
    """Once the transaction is committed, hints a room's new version to its sockets."""
    transaction.on_commit(lambda: rooms.remember(room))
    _announce_version(room.table, room.version.length)


def announce_wishes(user_pk: int) -> None:
    """Has this person's sockets come back with what they now wish to see and not to see."""
    _on_commit(person_group(user_pk), {"type": "person.wishes", "user": user_pk})


def announce_table(table: Table) -> None:
    """As `announce_room`, for a table without a game or beside it."""
    _announce_version(table, -1)


def announce_lobby() -> None:
    """Once the transaction is committed, hints to the lobby that its list has changed."""
    _on_commit(LOBBY_GROUP, {"type": "lobby.changed"})


def _announce_version(table: Table, length: int) -> None:
    message = {
        "type": "table.changed",
        "table": table.pk,
        "version": table.version,
        "length": length,
        "talk": table.talk,
    }
    _on_commit(table_group(table.pk), message)


def _on_commit(group: str, message: dict[str, Any]) -> None:
    transaction.on_commit(lambda: _send(group, message))


def _send(group: str, message: dict[str, Any]) -> None:
    if any(carrier(group, message) for carrier in _carriers):
        return
    try:
        async_to_sync(get_channel_layer().group_send)(group, message)
    except Exception:
        # Whatever the layer raises, the action is committed; polls bring it to everybody.
        logger.warning("the live layer did not take a hint for %s", group, exc_info=True)
