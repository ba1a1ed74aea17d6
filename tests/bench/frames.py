"""What a table's frame contains for a client: the digests of its panels.

Two formats are read: `{"html": ..., "panels": {name: digest}}`, and the older
`{"frame": n, "html": ...}`, whose panels carry their digests in their HTML.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

# These panels are the same for every viewer of a table.
PUBLIC = ("banner", "seats", "tracks", "log")
# A client acknowledges at the latest after this many frames or bytes.
ACK_FRAMES = 64
ACK_BYTES = 64 * 1024

_PANEL = re.compile(r'data-panel="(\w+)" data-digest="([^"]*)"')


@dataclass(slots=True)
class Acknowledgement:
    """Counts what a connection received, and says when to acknowledge it."""

    frames: int = 0
    told: int = 0
    size: int = 0

    def after(self, frame: Mapping[str, object], size: int) -> str | None:
        """Return the message that is due after this frame of `size` bytes, or None."""
        self.frames += 1
        self.size += size
        if "frame" in frame:
            return json.dumps({"ack": frame["frame"]})
        if self.frames - self.told < ACK_FRAMES and self.size < ACK_BYTES:
            return None
        self.told, self.size = self.frames, 0
        return json.dumps({"ack": self.frames})


def digests_in(frame: Mapping[str, object]) -> dict[str, str]:
    """Return the new digests of the panels that a frame changed."""
    panels = frame.get("panels")
    if isinstance(panels, dict):
        return panels
    return dict(_PANEL.findall(str(frame.get("html", ""))))


def digests_of_answer(header: str, html: str) -> dict[str, str]:
    """Return the digests in an answer to a POST: of its X-Panels header, or of its panels."""
    pairs = (item.partition(":") for item in header.split())
    return {name: digest for name, _, digest in pairs} or dict(_PANEL.findall(html))


def have_header(digests: Mapping[str, str]) -> str:
    return " ".join(f"{name}:{digest}" for name, digest in digests.items())


@dataclass(slots=True)
class Shown:
    """What one viewer's page shows, as digests by panel."""

    digests: dict[str, str] = field(default_factory=dict)

    def take(self, changed: Mapping[str, str]) -> None:
        self.digests.update(changed)

    @property
    def public(self) -> tuple[str | None, ...]:
        return tuple([self.digests.get(name) for name in PUBLIC])
