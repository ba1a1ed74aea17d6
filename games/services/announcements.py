"""Announces changes to all viewers. A hint carries version numbers, never the content.

The hint may be lost and the table may not: see games/panels/README.md, "Two kinds of panel".
"""

import logging
from hashlib import sha256
from typing import Any, Final

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from django.dispatch import Signal

from config.cache.circuit_breaker import FUSE
from games.models import Table
from games.state import rooms
from games.state.rooms import Room

LOBBY_GROUP: Final = "lobby"

logger = logging.getLogger(__name__)

# Offers a hint, with its `group` and `message`, in the thread that has committed the change. A
# receiver returns whether it takes the hint to the sockets of all processes. In a process that
# serves sockets, games/live/hub.py does; in others there is no receiver.
hint_offered = Signal()


def table_group(table_pk: int) -> str:
    return f"table.{table_pk}"


def person_group(user_pk: int) -> str:
    return f"person.{user_pk}"


def session_mark(session_key: str | None) -> str:
    """Return a digest that identifies a session where its key must not be seen."""
    return sha256((session_key or "").encode()).hexdigest()


def announce_sign_out(user_pk: int, session_key: str | None) -> None:
    """Close the sockets that this session opened."""
    _on_commit(
        person_group(user_pk),
        {"type": "person.signed_out", "session": session_mark(session_key), "user": user_pk},
    )


def announce_person(user_pk: int) -> None:
    """Check at once whether this user's sockets may stay open."""
    _on_commit(person_group(user_pk), {"type": "person.changed", "user": user_pk})


def announce_bell(user_pk: int) -> None:
    """Tell this user's open pages that there is a new notification."""
    _on_commit(person_group(user_pk), {"type": "person.rung", "user": user_pk})


def announce_room(room: Room) -> None:
    """Announce a room's new version to its sockets when the transaction commits."""
    transaction.on_commit(lambda: rooms.remember(room))
    _announce_version(room.table, room.version.length)


def announce_viewer_settings(user_pk: int) -> None:
    """Make this user's sockets reconnect with their current settings and permissions."""
    _on_commit(person_group(user_pk), {"type": "person.viewer_settings", "user": user_pk})


def announce_table(table: Table) -> None:
    """Announce a change of the table that is not a move, or that comes before the game."""
    _announce_version(table, -1)


def announce_lobby() -> None:
    """Tell the lobby that its list has changed, when the transaction commits."""
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
    answers = hint_offered.send(sender=None, group=group, message=message)
    if any(is_taken for _, is_taken in answers):
        return
    try:
        FUSE.call(
            lambda: async_to_sync(get_channel_layer().group_send)(group, message), lambda: None
        )
    except Exception:
        # Any error of the channel layer is acceptable: the action is committed, and clients also
        # poll.
        logger.warning("the live layer did not take a hint for %s", group, exc_info=True)
