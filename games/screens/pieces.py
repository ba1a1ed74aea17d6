"""Panels and the pieces they are made of: rendered, compared, and sent by themselves.

A piece is rendered from its part and from nothing else, so its digest is known before it is
rendered, and two viewers with equal parts may share its HTML.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC
from functools import cache
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import ClassVar, Final

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy, pgettext_lazy

# A page puts the CSRF field where a piece leaves this mark. Frames keep the mark, htmx sends
# the token in a header, and a piece is the same bytes wherever it is rendered.
CSRF_MARK: Final = mark_safe("<!--csrf-->")

_SWAP: Final = mark_safe(' data-hx-swap-oob="true"')

# What a panel is for who does not see it. `rules` holds a popover only, which names itself.
_LABELS: Final = {
    "banner": gettext_lazy("What happens now"),
    "seats": gettext_lazy("Seats"),
    "tracks": gettext_lazy("Policies"),
    "you": gettext_lazy("What you know"),
    "action": gettext_lazy("Your move"),
    "affairs": gettext_lazy("The table’s affairs"),
    "affairs_mine": gettext_lazy("Your part in the table’s affairs"),
    "log": pgettext_lazy("log", "Game log"),
    "history": gettext_lazy("Governments so far"),
    "conflicts": gettext_lazy("Conflicting claims"),
    "phrasebook": gettext_lazy("Claims and phrases"),
    "say": gettext_lazy("Say something"),
    "talk": pgettext_lazy("panel", "What was said"),
    "tables": gettext_lazy("Tables"),
    "mine": gettext_lazy("My tables"),
}

_ROWS_MARK: Final = "<!--rows-->"
# A table has some forty, in each language that somebody reads there.
_PIECES_REMEMBERED: Final = 30_000
_SIGNATURES_REMEMBERED: Final = 20_000


def voice(language: str, edition: str) -> str:
    """The catalog in which `language` speaks at a table of `edition`."""
    return settings.VOICES.get((language, edition), language)


class Part:
    """What one template is given: a frozen dataclass of what the piece shows.

    Its `repr` tells it from every other part, in every process alike: no sets, no rows of
    the database.
    """

    __slots__ = ()

    # A template asks for an item first and for the attribute when that has failed: an exception
    # for each name that it reads, and a tenth of its time.
    __getitem__ = object.__getattribute__

    template: ClassVar[str]
    # By which name the template calls it.
    noun: ClassVar[str]
    # Whether its HTML is kept: not where one viewer wants it when their page opens, and then no
    # more. Of all the rest together a table has less.
    is_kept: ClassVar[bool] = True

    @property
    def row_id(self) -> str:
        """The `id` of the element, for a part that is one row of a panel."""
        return ""


class Piece:
    """A part in a language: its digest at once, its HTML when somebody needs it."""

    __slots__ = ("_html", "digest", "id", "part", "voice")

    def __init__(self, part: Part, voice: str) -> None:
        self.part = part
        self.voice = voice
        self.id = part.row_id
        self.digest = _digest(f"{_build()} {voice} {part.template} {part!r}")
        # Encoded: one “ in it would make a string of Python's twice as long in memory.
        self._html: bytes | None = None

    @property
    def html(self) -> SafeString:
        if self._html is not None:
            return mark_safe(self._html.decode())  # noqa: S308  rendered by a template
        # Two threads may want it at once: the second finds it made.
        # In UTC: who else is shown it may live anywhere. The browser words times anew.
        with _rendering, translation.override(self.voice), timezone.override(UTC):
            if self._html is not None:
                return self.html
            html = render(self.part)
            if self.part.is_kept:
                self._html = html.encode()
            return html


def render(part: Part) -> SafeString:
    """The HTML of a part in the active language."""
    return render_to_string(f"games/_{part.template}.html", {part.noun: part})


@dataclass(frozen=True, slots=True)
class Signature:
    """What a panel consists of, by digests: enough to tell what a client that has it lacks."""

    digest: str
    shell: str
    rows: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Panel:
    """A part of the page that is addressed by itself: a shell, with rows where it has some."""

    name: str
    shell: Piece
    rows: tuple[Piece, ...] = ()
    signature: Signature = field(init=False)

    def __post_init__(self) -> None:
        rows = tuple((row.id, row.digest) for row in self.rows)
        digest = _digest(f"{self.shell.digest} {rows}") if rows else self.shell.digest
        self.signature = _remember_signature(Signature(digest, self.shell.digest, rows))

    @property
    def digest(self) -> str:
        return self.signature.digest

    @property
    def voice(self) -> str:
        """The catalog that it speaks; its frame is labelled in the same."""
        return self.shell.voice

    @property
    def html(self) -> str:
        if not self.rows:
            return self.shell.html
        return self.shell.html.replace(_ROWS_MARK, "".join(row.html for row in self.rows))


@dataclass(frozen=True, slots=True)
class Difference:
    """What a client must be sent: HTML for htmx, and the digests that its panels have then."""

    html: str
    digests: Mapping[str, str]

    def __bool__(self) -> bool:
        return bool(self.digests)


def difference(panels: Mapping[str, Panel], shown: Mapping[str, Signature | None]) -> Difference:
    """What turns what is `shown` into `panels`: whole panels, or their changed rows."""
    parts: list[str] = []
    digests: dict[str, str] = {}
    for name, panel in panels.items():
        old = shown.get(name)
        if old is not None and old.digest == panel.digest:
            continue
        digests[name] = panel.digest
        parts.extend(_swaps(panel, old))
    return Difference("".join(parts), digests)


def signature_of(digest: str) -> Signature | None:
    """What a panel with this digest consists of, where this process still knows."""
    with _lock:
        return _signatures.get(digest)


def with_csrf(html: str, field: str) -> SafeString:
    """A panel for a page: its forms carry the CSRF `field` and work without JavaScript."""
    return mark_safe(html.replace(CSRF_MARK, field))  # noqa: S308  rendered by templates


def public_piece(part: Part, voice: str) -> Piece:
    """The piece of a part that everybody may see: made once, and kept for all viewers."""
    key = (voice, part)
    with _lock:
        known = _pieces.get(key)
        if known is not None:
            _pieces.move_to_end(key)
            return known
    piece = Piece(part, voice)
    with _lock:
        _pieces[key] = piece
        while len(_pieces) > _PIECES_REMEMBERED:
            _pieces.popitem(last=False)
    return piece


def forget_all() -> None:
    """Empties the memory."""
    with _lock:
        _pieces.clear()
        _signatures.clear()


def _swaps(panel: Panel, old: Signature | None) -> Iterable[str]:
    """The elements that htmx swaps in out of band, each by its id."""
    new = panel.signature
    added = len(new.rows) - len(old.rows) if old is not None else -1
    if (
        old is None
        or not new.rows
        or old.shell != new.shell
        or added < 0
        or [row[0] for row in new.rows[added:]] != [row[0] for row in old.rows]
    ):
        return [framed(panel, is_swap=True)]
    swaps = []
    if added:
        inserted = "".join(row.html for row in panel.rows[:added])
        swaps.append(f'<div data-hx-swap-oob="afterbegin:#rows-{panel.name}">{inserted}</div>')
    for row, was in zip(panel.rows[added:], old.rows, strict=True):
        if row.digest != was[1]:
            swaps.append(
                row.html.replace(f' id="{row.id}"', f' id="{row.id}" data-hx-swap-oob="true"', 1)
            )
    return swaps


def framed(panel: Panel, html: str = "", *, is_swap: bool = False) -> SafeString:
    """The panel's element on the page, round its own HTML or, as a page has it, `html`."""
    name = panel.name
    # The names are ours and the digest is hexadecimal.
    return mark_safe(  # noqa: S308  rendered by templates
        f'<section id="panel-{name}" class="panel panel-{name}" data-panel="{name}"'
        f' data-digest="{panel.digest}"{_attributes(name, panel.voice)}{_SWAP if is_swap else ""}>'
        f"{html or panel.html}</section>"
    )


@cache
def _attributes(name: str, voice: str) -> SafeString:
    with translation.override(voice):
        label = _LABELS.get(name)
        named = format_html(' aria-label="{}"', label) if label is not None else ""
    # Longer than its place: it is scrolled by keyboard too.
    return format_html("{}{}", named, mark_safe(' tabindex="0"') if name in ("log", "talk") else "")


def _remember_signature(signature: Signature) -> Signature:
    with _lock:
        known = _signatures.setdefault(signature.digest, signature)
        _signatures.move_to_end(signature.digest)
        while len(_signatures) > _SIGNATURES_REMEMBERED:
            _signatures.popitem(last=False)
        return known


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


@cache
def _build() -> str:
    """Changes with what pieces are made by: a new release's are never taken for an old one's."""
    sources = blake2b(digest_size=8)
    folders = [Path(folder) for folder in settings.LOCALE_PATHS]
    folders += [Path(folder) for engine in settings.TEMPLATES for folder in engine["DIRS"]]
    for path in sorted(path for folder in folders for path in folder.rglob("*") if path.is_file()):
        if path.suffix in {".html", ".po"}:
            sources.update(path.read_bytes())
    art = settings.BASE_DIR / "games" / "static" / "games" / "art.svg"
    sources.update(art.read_bytes())
    return sources.hexdigest()


_lock = Lock()
_rendering = Lock()
_pieces: OrderedDict[tuple[str, Part], Piece] = OrderedDict()
_signatures: OrderedDict[str, Signature] = OrderedDict()
