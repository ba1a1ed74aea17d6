"""Panels and their pieces, each of which is rendered, compared and sent separately.

A piece is rendered only from its part. So its digest is known before it is rendered, and two
viewers with equal parts can share its HTML.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC
from functools import cache
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar, Final

from cachetools import LRUCache
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy, pgettext_lazy

# A page replaces this mark with the CSRF field. A frame keeps the mark, because htmx sends the
# token in a header. So a piece has the same bytes for every viewer.
CSRF_MARK: Final = mark_safe("<!--csrf-->")

_SWAP: Final = mark_safe(' data-hx-swap-oob="true"')

# The labels of panels for screen readers. `rules` has none: it contains only a popover with a label
# of its own.
_LABELS: Final = {
    "banner": gettext_lazy("What’s happening now"),
    "seats": gettext_lazy("Seats"),
    "tracks": gettext_lazy("Policies"),
    "you": gettext_lazy("What you know"),
    "action": gettext_lazy("Your move"),
    "administration": gettext_lazy("Table notices and votes"),
    "administration_mine": gettext_lazy("Your table options"),
    "log": pgettext_lazy("log", "Game log"),
    "history": gettext_lazy("Governments so far"),
    "conflicts": gettext_lazy("Conflicting claims"),
    "phrasebook": gettext_lazy("Claims and phrases"),
    "say": gettext_lazy("Say something"),
    "talk": pgettext_lazy("panel", "Messages"),
    "tables": gettext_lazy("Tables"),
    "mine": gettext_lazy("My tables"),
}

_ROWS_MARK: Final = "<!--rows-->"
# The line breaks between tags of a template: a tenth of what is sent. A browser shows one space for
# them, and text contains no raw tag, so it never matches; but a text box may hold only line breaks.
_GAP: Final = re.compile(r">\s*\n\s*<(?!/textarea)")
# It shows none beside these elements, which are blocks, or items of a flexbox or grid. Not beside
# <div>, <dt> and <dd>, because a line of a few facts shows them inline.
_BLOCK: Final = r"</?(?:details|fieldset|form|h[1-4]|li|nav|ol|p|section|tr|ul)\b"
_GAP_BESIDE_BLOCK: Final = re.compile(rf"({_BLOCK}[^<>]*>)\s*\n\s*(?=<)|>\s*\n\s*(?={_BLOCK})")
# A table has about forty pieces in each language that its viewers read.
_PIECES_REMEMBERED: Final = 30_000
_SIGNATURES_REMEMBERED: Final = 20_000


def locale_for(language: str, edition: str) -> str:
    """Return the locale for readers of `language` at a table of `edition`."""
    return settings.EDITION_LOCALES.get((language, edition), language)


class Part:
    """The data of one template: a frozen dataclass of what the piece shows.

    Its `repr` must be unique to its data and equal in every process. So it contains no sets and no
    database rows.
    """

    __slots__ = ()

    # Templates look up an item first, and the attribute only if that fails. Without this method
    # each lookup would raise an exception, which takes a tenth of the rendering time.
    __getitem__ = object.__getattribute__

    template: ClassVar[str]
    # The name of the part in the template.
    noun: ClassVar[str]
    # Whether the HTML is kept. It is not worth keeping if only one viewer needs it, and only when
    # their page opens: such HTML is larger than all the rest of a table.
    is_kept: ClassVar[bool] = True

    @property
    def row_id(self) -> str:
        """The `id` of the element, for a part that is one row of a panel."""
        return ""


class Piece:
    """A part in one locale, with its digest. Its HTML is rendered when it is first needed."""

    __slots__ = ("_html", "digest", "id", "locale", "part")

    def __init__(self, part: Part, locale: str) -> None:
        self.part = part
        self.locale = locale
        self.id = part.row_id
        self.digest = _digest(f"{_build()} {locale} {part.template} {part!r}")
        # As bytes: in a Python string a single “ would double the memory.
        self._html: bytes | None = None

    @property
    def html(self) -> SafeString:
        if self._html is not None:
            return mark_safe(self._html.decode())  # noqa: S308  rendered by a template
        # The lock makes a second thread wait for the HTML of the first. Times are in UTC, because
        # other viewers may live in other time zones; the browser converts them.
        with _rendering, translation.override(self.locale), timezone.override(UTC):
            if self._html is not None:
                return self.html
            html = render(self.part)
            if self.part.is_kept:
                self._html = html.encode()
            return html


def render(part: Part) -> SafeString:
    """Return the HTML of a part in the active language."""
    html = render_to_string(f"games/_{part.template}.html", {part.noun: part})
    return without_gaps(html.strip())


def without_gaps(html: str) -> SafeString:
    """Return rendered HTML with one space, or none, for the line breaks between its tags."""
    html = _GAP_BESIDE_BLOCK.sub(lambda found: found[1] or ">", html)
    return mark_safe(_GAP.sub("> <", html))  # noqa: S308  rendered by a template


@dataclass(frozen=True, slots=True)
class Signature:
    """The digests of a panel and its rows, to find out what a client's panel lacks."""

    digest: str
    shell: str
    rows: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Panel:
    """A part of the page that is updated separately: a shell, and its rows if it has any."""

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
    def locale(self) -> str:
        """The locale of the panel and of its label."""
        return self.shell.locale

    @property
    def html(self) -> SafeString:
        if not self.rows:
            return self.shell.html
        return self.with_rows("".join(row.html for row in self.rows))

    def with_rows(self, rows: str) -> SafeString:
        """Return the HTML with `rows` in the place of the panel's own."""
        return mark_safe(self.shell.html.replace(_ROWS_MARK, rows))  # noqa: S308  from templates


@dataclass(frozen=True, slots=True)
class Difference:
    """The HTML that htmx must be sent, and the digests of the panels after that."""

    html: str
    digests: Mapping[str, str]

    def __bool__(self) -> bool:
        return bool(self.digests)


def difference(panels: Mapping[str, Panel], shown: Mapping[str, Signature | None]) -> Difference:
    """Return what turns the `shown` panels into `panels`: whole panels or changed rows."""
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
    """Return the signature of the panel with this digest, if this process remembers it."""
    with _lock:
        return _signatures.get(digest)


def with_csrf(html: str, field: str) -> SafeString:
    """Add the CSRF `field` to the forms of a page's panel; they need it without JavaScript."""
    return mark_safe(html.replace(CSRF_MARK, field))  # noqa: S308  rendered by templates


def public_piece(part: Part, locale: str) -> Piece:
    """Return the piece of a public part, which is made once and shared by all viewers."""
    key = (locale, part)
    with _lock:
        # Not `get`, which looks the key up once more: hashing a part is most of the cost.
        try:
            return _pieces[key]
        except KeyError:
            pass
    piece = Piece(part, locale)
    with _lock:
        _pieces[key] = piece
    return piece


def forget_all() -> None:
    """Forget all pieces and signatures."""
    with _lock:
        _pieces.clear()
        _signatures.clear()


def _swaps(panel: Panel, old: Signature | None) -> Iterable[str]:
    """Return the elements that htmx swaps out of band, each by its id."""
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
    """Return the panel's element, with `html` of a page or else the panel's own HTML."""
    name = panel.name
    # Safe: the names are constants of this module, and the digest is hexadecimal.
    return mark_safe(  # noqa: S308  rendered by templates
        f'<section id="panel-{name}" class="panel panel-{name}" data-panel="{name}"'
        f' data-digest="{panel.digest}"{_attributes(name, panel.locale)}{_SWAP if is_swap else ""}>'
        f"{html or panel.html}</section>"
    )


@cache
def _attributes(name: str, locale: str) -> SafeString:
    with translation.override(locale):
        label = _LABELS.get(name)
        named = format_html(' aria-label="{}"', label) if label is not None else ""
    # These panels are scrollable, so keyboard users must be able to focus them.
    return format_html("{}{}", named, mark_safe(' tabindex="0"') if name in ("log", "talk") else "")


def _remember_signature(signature: Signature) -> Signature:
    with _lock:
        return _signatures.setdefault(signature.digest, signature)


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


@cache
def _build() -> str:
    """Return a digest of templates, catalogs and art, which tells releases apart."""
    sources = blake2b(digest_size=8)
    folders = [Path(folder) for folder in settings.LOCALE_PATHS]
    engines: list[dict[str, Any]] = settings.TEMPLATES
    folders += [Path(folder) for engine in engines for folder in engine["DIRS"]]
    for path in sorted(path for folder in folders for path in folder.rglob("*") if path.is_file()):
        if path.suffix in {".html", ".po"}:
            sources.update(path.read_bytes())
    art = settings.BASE_DIR / "games" / "static" / "games" / "art.svg"
    sources.update(art.read_bytes())
    return sources.hexdigest()


_lock = Lock()
_rendering = Lock()
_pieces: LRUCache[tuple[str, Part], Piece] = LRUCache(_PIECES_REMEMBERED)
_signatures: LRUCache[str, Signature] = LRUCache(_SIGNATURES_REMEMBERED)
