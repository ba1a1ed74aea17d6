"""What passes between a screen's watch and a socket."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

from games.screens import Panel, Signature, difference
from games.sessions import Viewer
from games.wire import framed_text

# Close codes, of the range that applications may use.
NONSENSE: Final = 4400
SIGNED_OUT: Final = 4401
GONE: Final = 4404

# The browser opens another socket at once. (1012 would say it, but the server's library keeps that
# code for itself.)
COME_BACK: Final = 4412

# Of each panel of a screen, what a client has.
Shown = tuple[Signature | None, ...]


@dataclass
class Frame:
    """What is sent to every socket that has the same and lacks the same."""

    text: str

    @cached_property
    def framed(self) -> bytes:
        """The same, ready for the wire."""
        return framed_text(self.text)


class Line(Protocol):
    """A socket, as the hub knows it."""

    viewer: Viewer
    # Of each panel, what the client shows; None until it has said so.
    shown: Shown | None
    # It has asked, and is answered even where nothing is new.
    is_asking: bool
    # It had no room when something was new.
    is_behind: bool

    @property
    def has_room(self) -> bool:
        """Whether it may be sent more before it has acknowledged what is on its way."""
        ...

    async def deliver(self, frame: Frame | None) -> None:
        """Sends a frame; None says that nothing is new."""
        ...

    async def end(self, code: int) -> None: ...


@dataclass(slots=True)
class Update:
    """What a line gets, and what its client shows then. `shown` is None for who may not look."""

    frame: Frame | None
    shown: Shown | None


def lacked_frame(
    panels: Mapping[str, Panel],
    signatures: Shown,
    shown: Shown,
    frames: dict[tuple[object, ...], Frame],
) -> Frame | None:
    """What turns what is `shown` into these panels; None where nothing does.

    `frames` are those made before for the same panels: who lacks the same gets the same.
    """
    lacking = {
        name: old
        for name, new, old in zip(panels, signatures, shown, strict=True)
        if old is None or old.digest != new.digest
    }
    if not lacking:
        return None
    key = tuple((panels[name].digest, old and old.digest) for name, old in lacking.items())
    if key not in frames:
        new = difference({name: panels[name] for name in lacking}, lacking)
        frames[key] = Frame(
            json.dumps({"html": new.html, "panels": new.digests}, ensure_ascii=False)
        )
    return frames[key]
