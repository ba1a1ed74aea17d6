"""What a page has more than before, marked in its public panels."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from games.panels.government_history import ConflictRow, HistoryTerm
from games.panels.pieces import Panel, Part, Piece
from games.panels.scene import LogRound, Track

_MARKED: Final = ("tracks", "history", "conflicts", "log")


def with_new_marked(panels: Mapping[str, Panel], before: Mapping[str, Panel]) -> dict[str, Panel]:
    """Return the panels with a mark at each row that `before` lacks, or has with other content."""
    return dict(panels) | {name: _marked(panels[name], before[name]) for name in _MARKED}


def added_policies(panels: Mapping[str, Panel]) -> list[Track]:
    """Return the tracks on which policies are marked as new."""
    parts = (row.part for row in panels["tracks"].rows)
    return [part for part in parts if isinstance(part, Track) and part.added]


def _marked(panel: Panel, before: Panel) -> Panel:
    was = {row.id: row for row in before.rows}
    rows = (
        row
        if row.id in was and was[row.id].digest == row.digest
        else Piece(_as_new(row.part, was[row.id].part if row.id in was else None), row.locale)
        for row in panel.rows
    )
    return Panel(panel.name, panel.shell, tuple(rows))


def _as_new(part: Part, before: Part | None) -> Part:
    if isinstance(part, HistoryTerm | ConflictRow | LogRound):
        return replace(part, is_new=True)
    if isinstance(part, Track):
        enacted = before.enacted if isinstance(before, Track) else 0
        spaces = (
            replace(space, is_new=space.is_filled and space.number > enacted)
            for space in part.spaces
        )
        return replace(part, spaces=tuple(spaces))
    return part
