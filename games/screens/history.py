"""The history of governments and who contradicts whom: two public panels, a row at a time."""

from dataclasses import dataclass
from typing import ClassVar

from games.history import Conflict, Term, claims_in, conflicts_of, history_of
from games.minutes import minutes_of
from games.rooms import Room
from games.rules.view import View
from games.screens.pieces import Part


@dataclass(frozen=True, slots=True)
class History(Part):
    """The shell round the terms: it changes with the names alone."""

    template: ClassVar[str] = "history"
    noun: ClassVar[str] = "history"

    # Nobody's before the game.
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class HistoryTerm(Part):
    """A candidacy: who stood, who voted how, what came of it and what is claimed.

    One object for one content, since a move leaves most of them as they are.
    """

    template: ClassVar[str] = "history_term"
    noun: ClassVar[str] = "row"

    term: Term
    names: tuple[str, ...]

    @property
    def row_id(self) -> str:
        return f"term-{self.term.number}"


@dataclass(frozen=True, slots=True)
class Conflicts(Part):
    """The shell round the conflicts."""

    template: ClassVar[str] = "conflicts"
    noun: ClassVar[str] = "conflicts"


@dataclass(frozen=True, slots=True)
class ConflictRow(Part):
    template: ClassVar[str] = "conflict"
    noun: ClassVar[str] = "row"

    conflict: Conflict
    names: tuple[str, ...]

    @property
    def row_id(self) -> str:
        return f"conflict-{self.conflict.key}"


@dataclass(frozen=True, slots=True)
class Annals:
    """Both panels' parts; rows the newest first."""

    history: History
    terms: tuple[HistoryTerm, ...]
    conflicts: tuple[ConflictRow, ...]


def annals_of(
    room: Room, names: tuple[str, ...], view: View | None, before: Annals | None = None
) -> Annals:
    """What a table can tell of its governments. `view` is the spectator's.

    `before` are the same table's of a moment ago: terms that still stand are taken over.
    """
    if view is None:
        return Annals(History(()), (), ())
    rounds, claims = minutes_of(room).rounds, claims_in(room)
    # Everybody's knowledge is open when the game is over, and nobody's before.
    terms = history_of(rounds, claims, view.knowledge, view.candidate)
    conflicts = conflicts_of(rounds, claims)
    known = {} if before is None else {part.term.number: part for part in before.terms}

    def part(term: Term) -> HistoryTerm:
        same = known.get(term.number)
        if same is not None and (same.term, same.names) == (term, names):
            return same
        return HistoryTerm(term, names)

    return Annals(
        History(names),
        tuple(part(term) for term in reversed(terms)),
        tuple(ConflictRow(conflict, names) for conflict in reversed(conflicts)),
    )
