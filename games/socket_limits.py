"""How many sockets one client may keep open in this process, and how much it may say.

Counted in the memory of each process, on its event loop: what many sockets cost is that
process's own memory and time. So P processes let a client have P times as many.
"""

from collections import Counter
from typing import Any, Final

from django.conf import settings

from accounts.address import address_of
from accounts.limits import Limit, hit

# The close code of a socket that is too much.
TOO_MUCH: Final = 4429


class OpenSockets:
    """The sockets that are open, by address and by account. All on one event loop: no lock."""

    def __init__(self) -> None:
        self._open = 0
        self._of_addresses: Counter[str] = Counter()
        self._of_users: Counter[int] = Counter()

    def enter(self, address: str) -> "Place | None":
        """A place for a socket from `address`, or None where there are too many.

        Asked before anything else is: no database, no thread. Whoever gets a place must leave it.
        """
        if hit(Limit.CONNECTS, f"address:{address}") is not None:
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

    __slots__ = ("_address", "_sockets", "_user_pk")

    def __init__(self, sockets: OpenSockets, address: str) -> None:
        self._sockets = sockets
        self._address = address
        self._user_pk: int | None = None

    def take_for(self, user_pk: int | None) -> bool:
        """Counts it for an account, None for a stranger; False where the account has too many."""
        if user_pk is not None:
            if not self._sockets._seat(user_pk):
                return False
            self._user_pk = user_pk
        return True

    def leave(self) -> None:
        self._sockets._leave(self._address, self._user_pk)


class CountedSocket:
    """A consumer that has a place for as long as it runs, however it ends.

    Not `connect` and `disconnect`: a consumer that fails is never told that its socket is gone.
    """

    place: Place

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        place = OPEN_SOCKETS.enter(address_of(scope))
        if place is None:
            # A socket that was never open has no close code, and would be tried again at once.
            await receive()
            await send({"type": "websocket.accept"})
            scope["socket"].opened()
            scope["socket"].closed(TOO_MUCH)
            await send({"type": "websocket.close", "code": TOO_MUCH})
            return
        self.place = place
        try:
            await super().__call__(scope, receive, send)  # type: ignore[misc]
        finally:
            place.leave()


class MessageBudget:
    """What one socket may still say this minute, by itself and among its account's."""

    __slots__ = ("_socket", "_user")
    _sockets_so_far = 0

    def __init__(self, user_pk: int | None) -> None:
        MessageBudget._sockets_so_far += 1
        self._socket = f"socket:{MessageBudget._sockets_so_far}"
        self._user = None if user_pk is None else f"user:{user_pk}"

    def take(self) -> bool:
        """Counts one message; False where it is too much."""
        if hit(Limit.MESSAGES, self._socket) is not None:
            return False
        return self._user is None or hit(Limit.ALL_MESSAGES, self._user) is None


def _is_full(count: int, most: int) -> bool:
    return bool(most) and count >= most


def _one_less(counter: Counter[Any], key: Any) -> None:
    counter[key] -= 1
    # A flood of addresses must not be remembered for ever.
    if counter[key] <= 0:
        del counter[key]


OPEN_SOCKETS: Final = OpenSockets()
