"""Sockets of one address, and another table that is watched meanwhile."""

from games.live.socket_limits import TOO_MUCH
from tests.builders.person import Person
from tests.builders.sockets import Socket, does
from tests.limits.conftest import OtherTable

STRANGER, ELSEWHERE = "203.0.113.7", "198.51.100.4"


class Watched(OtherTable):
    """The other table, with a player's socket open at it."""

    async def is_watched(self) -> "Watched":
        self.socket = await at(self.people[4], ELSEWHERE).catches_up()
        return self

    async def goes_on_and_is_seen(self) -> bool:
        clicked = await does(self.goes_on)()
        # One frame may cover several changes; the banner comes in one of the frames.
        while "banner" not in await self.socket.frame():
            pass
        return clicked


def at(viewer: Person, address: str = STRANGER) -> Socket:
    socket = Socket(viewer)
    socket.line.scope["client"] = (address, 40000)
    return socket


async def is_shown_out(socket: Socket) -> bool:
    """Return whether the socket closes with TOO_MUCH. It opens first, so that it can say why."""
    return await socket.opens() and await socket.closes_with() == TOO_MUCH
