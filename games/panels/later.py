"""What a table's page leaves for later: old rows of its long panels, its rules and phrases.

A page that opens has the newest rows only, and a link that asks for the next ones when it is seen.
The panel keeps its digest: a frame brings new rows and changed ones, and skips changed rows that
the page has not asked for yet. Pages of a running game are never compressed, so each row counts.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from django.utils.safestring import SafeString, mark_safe

from games.panels.administration import Arrange
from games.panels.phrasebook import Ask, Chosen, PhraseForm
from games.panels.pieces import Panel, Part, Piece

# How many rows of a panel a page opens with, and how many a link brings.
_AT_FIRST: Final = {"log": 1, "history": 1, "talk": 4}
_AT_ONCE: Final = {"log": 4, "history": 8, "talk": 20}


@dataclass(frozen=True, slots=True)
class Earlier(Part):
    """A link that brings the rows after the row `after`, which are older."""

    template: ClassVar[str] = "earlier"
    noun: ClassVar[str] = "earlier"

    code: str
    panel: str
    after: str


@dataclass(frozen=True, slots=True)
class PhraseCall(Part):
    """A button in the phrases' place that brings them."""

    template: ClassVar[str] = "phrase_call"
    noun: ClassVar[str] = "call"

    code: str


@dataclass(frozen=True, slots=True)
class RulesCall(Part):
    """The rules of the table, folded, with a link that brings them."""

    template: ClassVar[str] = "rules_call"
    noun: ClassVar[str] = "call"

    code: str


def opening(panel: Panel, code: str) -> SafeString:
    """Return the panel's HTML for a page that opens."""
    if panel.name in _AT_FIRST:
        return panel.with_rows(_some(panel, code, 0, _AT_FIRST[panel.name]))
    if panel.name == "phrasebook":
        return panel.with_rows("".join(_said_first(panel, code)))
    if panel.name == "rules":
        return Piece(RulesCall(code), panel.locale).html
    part = panel.shell.part
    if isinstance(part, Arrange) and part.is_host:
        return Piece(replace(part, are_tools_later=True), panel.locale).html
    return panel.html


def rest(panel: Panel, code: str, after: str) -> SafeString | None:
    """Return what a link of `opening` brings; None if no page has such a link.

    Rows that have left the panel meanwhile have no older ones.
    """
    if panel.name == "phrasebook":
        wanted = Ask if after else PhraseForm
        found = [row.html for row in panel.rows if isinstance(row.part, wanted) and row.id != after]
        return mark_safe("".join(found))  # noqa: S308  rendered by templates
    if panel.name in ("rules", "administration_mine"):
        return panel.html
    if panel.name not in _AT_ONCE:
        return None
    ids = [row.id for row in panel.rows]
    start = ids.index(after) + 1 if after in ids else len(ids)
    return _some(panel, code, start, start + _AT_ONCE[panel.name])


def _some(panel: Panel, code: str, start: int, end: int) -> SafeString:
    """Return the rows from `start` to `end`, and the link to older ones if there are any."""
    rows = [row.html for row in panel.rows[start:end]]
    if end < len(panel.rows):
        earlier = Earlier(code, panel.name, panel.rows[end - 1].id)
        rows.append(Piece(earlier, panel.locale).html)
    return mark_safe("".join(rows))  # noqa: S308  rendered by templates


def _said_first(panel: Panel, code: str) -> Iterator[SafeString]:
    """Yield the phrasebook's rows with one question, and with a button for the phrases."""
    asks = [row for row in panel.rows if isinstance(row.part, Ask)]
    for row in panel.rows:
        if row in asks[1:]:
            continue
        if isinstance(row.part, PhraseForm) and row.part.chosen == Chosen():
            yield Piece(PhraseCall(code), panel.locale).html
        else:
            yield row.html
        if row in asks and len(asks) > 1:
            yield Piece(Earlier(code, panel.name, row.id), panel.locale).html
