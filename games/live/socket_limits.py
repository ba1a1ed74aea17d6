"""Limits on the sockets of a client: how many, how many messages, and how many frames.

Each process first counts everything in its own memory, on its event loop, where a refusal costs
microseconds. Open sockets and messages cost only that process, so they are counted only there; a
client may have P times as many with P processes. Connections and the frames that sockets ask for
cost the database and the renderers. So all processes count these together, over Redis, in the
threads that do that work anyway.

A budget belongs to an account or to an address, not to a socket, so a new socket does not refill
it. Accounts and strangers at one address have a budget each, so that a stranger behind the same
address cannot use up what players need.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from django.conf import settings

from accounts.throttling.limits import Limit, hit_everywhere, hit_here, is_closed
from config.http.client_key import address_of

# The close code of a socket that exceeds a limit.
TOO_MUCH: Final = 4429
# How many accounts' worth the budget of an address is.
_TIMES: Final = 2


class OpenSockets:
    """The open sockets by address and by account. All on one event loop, so without a lock."""

    def __init__(self) -> None:
        self._open = 0
        self._of_addresses: Counter[str] = Counter()
        self._of_users: Counter[int] = Counter()

    def enter(self, address: str) -> "Place | None":
        """Return a place for a socket from `address`, or None if there are too many.

        Checked before everything else, without a database or a thread. The caller must call `leave`
        on the place it gets.
        """
        if hit_here(Limit.CONNECTS, f"address:{address}") is not None:
            return None
        if _is_full(self._open, settings.SOCKETS_OF_A_PROCESS):
            return None
        if _is_full(self._of_addresses[address], settings.SOCKETS_OF_AN_ADDRESS):
            return None
        self._open += 1
        self._of_addresses[address] += 1
        return Place(self, address)

    def __len__(self) -> int:
        return self._open

    def _seat(self, user_pk: int) -> bool:
        if _is_full(self._of_users[user_pk], settings.SOCKETS_OF_A_USER):
            return False
        self._of_users[user_pk] += 1
        return True

    def _leave(self, address: str, user_pk: int | None) -> None:
        self._open -= 1
        _one_less(self._of_addresses, address)
        if user_pk is not None:
            _one_less(self._of_users, user_pk)


class Place:
    """One socket's place among the open ones."""

    __slots__ = ("_sockets", "_user_pk", "address")

    def __init__(self, sockets: OpenSockets, address: str) -> None:
        self._sockets = sockets
        self.address = address
        self._user_pk: int | None = None

    def may_connect(self) -> bool:
        """Count the connection for all processes. Waits for Redis, so call it in a thread."""
        return hit_everywhere(Limit.CONNECTS, f"address:{self.address}") is None

    def take_for(self, user_pk: int | None) -> bool:
        """Count the socket for an account (None: anonymous); False if the account has too many."""
        if user_pk is not None:
            if not self._sockets._seat(user_pk):
                return False
            self._user_pk = user_pk
        return True

    def leave(self) -> None:
        self._sockets._leave(self.address, self._user_pk)


class CountedSocket:
    """A consumer that holds a place for as long as it runs, however it ends.

    This wraps `__call__`, not `connect` and `disconnect`: Channels does not call `disconnect` on a
    consumer that fails.
    """

    place: Place

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        place = OPEN_SOCKETS.enter(address_of(scope))
        if place is None:
            # A socket refused before it opens has no close code, and the client would retry at
            # once.
            await receive()
            await send({"type": "websocket.accept"})
            scope["socket"].opened()
            scope["socket"].closed(TOO_MUCH)
            await send({"type": "websocket.close", "code": TOO_MUCH})
            return
        self.place = place
        try:
            # The next class is a consumer.
            await super().__call__(scope, receive, send)  # type: ignore[misc]
        finally:
            place.leave()


class Budget:
    """What one socket may still send and ask for: the budget of its account and its address."""

    __slots__ = ("_shared",)

    def __init__(self, address: str, user_pk: int | None) -> None:
        # Who shares it, and how many accounts' worth it is: no account can use up what the others
        # at its address have.
        self._shared = (
            [(f"address:{address}", _TIMES)]
            if user_pk is None
            else [(f"user:{user_pk}", 1), (f"accounts:{address}", _TIMES)]
        )

    @property
    def is_spent(self) -> bool:
        """Return whether an earlier socket used up a budget and the wait is not over."""
        return any(
            is_closed(what, who)
            for what in (Limit.MESSAGES, Limit.FRAMES)
            for who, _ in self._shared
        )

    def take_message(self) -> bool:
        """Count one message; False if it exceeds a limit."""
        return self._take(Limit.MESSAGES, hit_here)

    def take_frame(self) -> bool:
        """Count a message that asks for a frame. Return False if it is too much."""
        return self._take(Limit.FRAMES, hit_here)

    def take_frame_everywhere(self) -> bool:
        """Count for all processes what `take_frame` let through.

        Waits for Redis, so call it in a thread.
        """
        return self._take(Limit.FRAMES, hit_everywhere)

    def _take(self, what: Limit, count: Callable[[Limit, str, int], int | None]) -> bool:
        return all(count(what, who, times) is None for who, times in self._shared)


def _is_full(count: int, most: int) -> bool:
    return bool(most) and count >= most


def _one_less(counter: Counter[Any], key: Any) -> None:
    counter[key] -= 1
    # Otherwise a flood of addresses would be kept in memory for ever.
    if counter[key] <= 0:
        del counter[key]


OPEN_SOCKETS: Final = OpenSockets()
