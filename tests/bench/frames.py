"""What a table's frame contains for a client: the digests of its panels.

Two formats are read: `{"html": ..., "panels": {name: digest}}`, and the older
`{"frame": n, "html": ...}`, whose panels carry their digests in their HTML.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

# These panels are the same for every viewer of a table.
PUBLIC = ("banner", "seats", "tracks", "log")
# A client acknowledges at the latest after this many frames or bytes.
ACK_FRAMES = 64
ACK_BYTES = 64 * 1024

_PANEL = re.compile(r'data-panel="(\w+)" data-digest="([^"]*)"')
_SEAT = re.compile(r'id="seat-(\d+)"')


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


def whole_panels_in(html: str) -> dict[str, str]:
    """Return the digests of the panels that come whole, which do not depend on what was shown."""
    return dict(_PANEL.findall(html))


def is_same(frame: Mapping[str, object]) -> bool:
    """Return whether a frame says that the client shows what there is."""
    return "same" in frame


@lru_cache(maxsize=16)
def ballots_in(html: str) -> tuple[int, ...] | None:
    """Return the seats that a frame shows to have voted; None if it reveals the ballots."""
    if "seat-ballot" in html:
        return None
    # Each seat's row follows its id. Viewers are sent the same text, so it is read once.
    _, *rows = _SEAT.split(html)
    return tuple(
        int(seat) for seat, row in zip(rows[::2], rows[1::2], strict=True) if "mark-voted" in row
    )


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


@dataclass(slots=True)
class Page(Shown):
    """The digests of a page, by the rules of live.js for frames and answers that cross."""

    # What the server believes this page shows: the rows in a frame assume it.
    told: dict[str, str] = field(default_factory=dict)
    # What the page said that it shows when it last asked.
    said: dict[str, str] = field(default_factory=dict)

    def show(
        self, changed: Mapping[str, str], whole: Mapping[str, str], base: Mapping[str, str]
    ) -> bool:
        """Show panels, or rows that were made for the digests in `base`.

        Return whether every row was made for what this page showed.
        """
        is_sure = True
        for name, digest in {**changed, **whole}.items():
            shown = self.digests.get(name)
            fits = name in whole or shown in (digest, base.get(name))
            self.digests[name] = digest if fits else "unsure"
            is_sure = is_sure and fits
        return is_sure

    def asking(self) -> dict[str, str]:
        """Return what to tell the server when asking for what differs."""
        self.said = dict(self.digests)
        for name, digest in self.said.items():
            if self.told.get(name) != digest:
                # A frame on its way may still be made for the previous state.
                self.told[name] = ""
        return self.said
