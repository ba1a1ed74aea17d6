"""The government history and its conflicts: two public panels, rendered row by row."""

from dataclasses import dataclass
from typing import ClassVar

from games.panels.pieces import Part
from games.rules.view import View
from games.state.game_log import game_log_of
from games.state.government_history import (
    Conflict,
    Term,
    claims_in,
    conflicts_of,
    government_history_of,
)
from games.state.rooms import Room


@dataclass(frozen=True, slots=True)
class History(Part):
    """The frame around the terms. It changes only with the names."""

    template: ClassVar[str] = "history"
    noun: ClassVar[str] = "history"

    # Empty before the game.
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class HistoryTerm(Part):
    """A candidacy: the government, the votes, the outcome and the claims.

    Equal content is one object, because a move leaves most terms unchanged.
    """

    template: ClassVar[str] = "history_term"
    noun: ClassVar[str] = "row"

    term: Term
    names: tuple[str, ...]
    # Marked as new: see `games.panels.newness`.
    is_new: bool = False

    @property
    def row_id(self) -> str:
        return f"term-{self.term.number}"


@dataclass(frozen=True, slots=True)
class Conflicts(Part):
    """The frame around the conflicts."""

    template: ClassVar[str] = "conflicts"
    noun: ClassVar[str] = "conflicts"


@dataclass(frozen=True, slots=True)
class ConflictRow(Part):
    template: ClassVar[str] = "conflict"
    noun: ClassVar[str] = "row"

    conflict: Conflict
    names: tuple[str, ...]
    is_new: bool = False

    @property
    def row_id(self) -> str:
        return f"conflict-{self.conflict.key}"


@dataclass(frozen=True, slots=True)
class GovernmentHistory:
    """The parts of both panels; rows newest first."""

    history: History
    terms: tuple[HistoryTerm, ...]
    conflicts: tuple[ConflictRow, ...]


def government_history_panels(
    room: Room, names: tuple[str, ...], view: View | None, before: GovernmentHistory | None = None
) -> GovernmentHistory:
    """Build the government history of a table. `view` is the spectator's.

    `before` is the previous history of the same table, from which unchanged terms are reused.
    """
    if view is None:
        return GovernmentHistory(History(()), (), ())
    rounds, claims = game_log_of(room).rounds, claims_in(room)
    # A spectator's view has all knowledge once the game is over, and none before.
    terms = government_history_of(rounds, claims, view.knowledge, view.candidate)
    conflicts = conflicts_of(rounds, claims)
    known = {} if before is None else {part.term.number: part for part in before.terms}

    def part(term: Term) -> HistoryTerm:
        same = known.get(term.number)
        if same is not None and (same.term, same.names) == (term, names):
            return same
        return HistoryTerm(term, names)

    return GovernmentHistory(
        History(names),
        tuple(part(term) for term in reversed(terms)),
        tuple(ConflictRow(conflict, names) for conflict in reversed(conflicts)),
    )
