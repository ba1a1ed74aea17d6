"""The data that passes between a screen's subscription and a socket."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

from config.serving.transport import framed_text
from games.panels import Panel, Signature, difference
from games.state.viewer import Viewer

# Close codes, from the range reserved for applications.
BAD_MESSAGE: Final = 4400
SIGNED_OUT: Final = 4401
GONE: Final = 4404

# Tells the browser to open a new socket at once. (1012 would mean that, but the server's library
# reserves that code for itself.)
RECONNECT: Final = 4412

# A client's signature of each panel of a screen, None for a panel that it lacks.
Shown = tuple[Signature | None, ...]


@dataclass
class Frame:
    """A message for all sockets that show the same and lack the same."""

    text: str

    @cached_property
    def framed(self) -> bytes:
        """The text as a WebSocket frame."""
        return framed_text(self.text)


class Subscriber(Protocol):
    """A socket, as the hub sees it."""

    viewer: Viewer
    # The signatures of the panels that the client shows; None until the client has sent them.
    shown: Shown | None
    # Whether the client has asked, and so gets an answer even if nothing is new.
    is_asking: bool
    # Whether it had no room for a frame when something was new.
    is_behind: bool

    @property
    def has_room(self) -> bool:
        """Whether more may be sent before the client acknowledges earlier frames."""
        ...

    async def deliver(self, frame: Frame | None) -> None:
        """Send a frame; None reports that nothing is new."""
        ...

    async def ring(self) -> None:
        """Make the page check the bell, because this user may have a new notification."""
        ...

    async def end(self, code: int) -> None: ...


@dataclass(slots=True)
class Update:
    """A subscriber's frame, and what its client shows after it.

    `shown` is None if the viewer may not see the screen.
    """

    frame: Frame | None
    shown: Shown | None


def lacked_frame(
    panels: Mapping[str, Panel],
    signatures: tuple[Signature, ...],
    shown: Shown,
    frames: dict[tuple[object, ...], Frame],
) -> Frame | None:
    """Return the frame that updates a client from `shown` to these panels; None if nothing is new.

    `frames` caches the frames already built for these panels: clients that lack the same get the
    same frame.
    """
    lacking = {
        name: old
        for name, new, old in zip(panels, signatures, shown, strict=True)
        if old is None or old.digest != new.digest
    }
    if not lacking:
        return None
    key = tuple(
        (panels[name].digest, None if old is None else old.digest) for name, old in lacking.items()
    )
    if key not in frames:
        new = difference({name: panels[name] for name in lacking}, lacking)
        frames[key] = Frame(
            json.dumps({"html": new.html, "panels": new.digests}, ensure_ascii=False)
        )
    return frames[key]
