"""Fair turns at a limited number of places, so that no client's backlog delays another client."""

import asyncio
from collections import Counter, deque
from typing import Final

# One client may fill this part of the queue.
_SHARE_OF_QUEUE: Final = 4


class Turns:
    """Hands out places to clients. Runs on one event loop.

    A client holds at most half of the places, and at most `most`. Its further requests wait for
    its own places. The next free place goes to the waiting client that holds the fewest, and
    among equals to the one that was served longest ago.
    """

    def __init__(self, places: int, *, queue: int, most: int = 2) -> None:
        self._free = places
        self._most = max(1, min(most, places // 2))
        self._queue = queue
        self._queue_of_a_client = -(-queue // _SHARE_OF_QUEUE)
        self._held: Counter[str] = Counter()
        # Clients in the order of their turns, each with its own requests in order.
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._length = 0

    def is_full(self, client: str) -> bool:
        """Whether the client can neither have a place now nor wait for one."""
        if self._may_have(client):
            return False
        own = len(self._waiting.get(client, ()))
        return self._length >= self._queue or own >= self._queue_of_a_client

    async def take(self, client: str) -> None:
        """Waits for a place. Each place that was taken must be given back."""
        if self._may_have(client):
            self._give(client)
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        self._length += 1
        try:
            await asyncio.shield(turn)
        except asyncio.CancelledError:
            if turn.done():
                self.give_back(client)
            else:
                self._leave_queue(client, turn)
            raise

    def give_back(self, client: str) -> None:
        """Frees a place of the client for the next in turn."""
        self._held[client] -= 1
        if not self._held[client]:
            del self._held[client]
        self._free += 1
        self._call_next()

    def _may_have(self, client: str) -> bool:
        return self._free > 0 and self._held[client] < self._most

    def _give(self, client: str) -> None:
        self._free -= 1
        self._held[client] += 1

    def _call_next(self) -> None:
        ready = [client for client in self._waiting if self._may_have(client)]
        if not ready:
            return
        client = min(ready, key=self._held.__getitem__)
        turns = self._waiting[client]
        turn = turns[0]
        self._leave_queue(client, turn)
        if turns:
            # To the end of the order.
            self._waiting[client] = self._waiting.pop(client)
        self._give(client)
        turn.set_result(None)

    def _leave_queue(self, client: str, turn: asyncio.Future[None]) -> None:
        self._waiting[client].remove(turn)
        self._length -= 1
        if not self._waiting[client]:
            del self._waiting[client]
