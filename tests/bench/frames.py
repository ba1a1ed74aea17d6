"""What a table's frame tells a client: the digests that its panels have after it.

Two forms are read: `{"html": ..., "panels": {name: digest}}`, and the older
`{"frame": n, "html": ...}`, whose digests stand in the panels themselves.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

# Everybody at a table has the same of these.
PUBLIC = ("banner", "seats", "tracks", "log")
# A client says how much it has received at the latest after this much.
ACK_FRAMES = 64
ACK_BYTES = 64 * 1024

_PANEL = re.compile(r'data-panel="(\w+)" data-digest="([^"]*)"')


@dataclass(slots=True)
class Acknowledgement:
    """Counts what a connection received, and says when that must be told."""

    frames: int = 0
    told: int = 0
    size: int = 0

    def after(self, frame: Mapping[str, object], size: int) -> str | None:
        """The message that is due after this frame of `size` bytes."""
        self.frames += 1
        self.size += size
        if "frame" in frame:
            return json.dumps({"ack": frame["frame"]})
        if self.frames - self.told < ACK_FRAMES and self.size < ACK_BYTES:
            return None
        self.told, self.size = self.frames, 0
        return json.dumps({"ack": self.frames})


def digests_in(frame: Mapping[str, object]) -> dict[str, str]:
    """The digests that the panels have after a frame, of those that it changed."""
    panels = frame.get("panels")
    if isinstance(panels, dict):
        return panels
    return dict(_PANEL.findall(str(frame.get("html", ""))))


def digests_of_answer(header: str, html: str) -> dict[str, str]:
    """The same for an answer to a POST: from its X-Panels header, or from the panels in it."""
    pairs = (item.partition(":") for item in header.split())
    return {name: digest for name, _, digest in pairs} or dict(_PANEL.findall(html))


def have_header(digests: Mapping[str, str]) -> str:
    return " ".join(f"{name}:{digest}" for name, digest in digests.items())


@dataclass(slots=True)
class Shown:
    """What one viewer's page shows, by digest."""

    digests: dict[str, str] = field(default_factory=dict)

    def take(self, changed: Mapping[str, str]) -> None:
        self.digests.update(changed)

    @property
    def public(self) -> tuple[str | None, ...]:
        return tuple([self.digests.get(name) for name in PUBLIC])
