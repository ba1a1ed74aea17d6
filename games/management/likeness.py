"""How often bots would do what people did, from the same seat with the same view."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from games import bots
from games.inference.scores import interval
from games.management.habit_fitting import decisions_of
from games.rules.actions import Action, AnswerVeto, Discard, Enact, Nominate, ProposeVeto, Vote
from games.rules.components import Role
from games.rules.knowledge import Knowledge
from games.rules.powers import UsePowerOn
from games.rules.record import Record
from games.rules.view import View
from games.simulation.distribution import distribution

# The kinds of move, in the order of reports.
MOVES: Final = ("nomination", "vote", "discard", "enactment", "target", "veto")
# Probabilities this close are the same.
_CLOSE: Final = 1e-9


@dataclass(slots=True)
class Hits:
    """For some moves of people, how far a bot would have made each: 1, 0, or a share of a tie."""

    hits: list[float] = field(default_factory=list)
    game: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.hits)

    @property
    def share(self) -> float:
        return sum(self.hits) / len(self.hits)

    @property
    def interval(self) -> list[float]:
        """The 95 % interval of the share, by bootstrap of whole games."""
        return interval(self.hits, self.game)

    def add(self, hit: float, game: int) -> None:
        self.hits.append(hit)
        self.game.append(game)


# By kind of bot, kind of move and the role of who made it.
Found = dict[tuple[str, str, Role], Hits]


def count(
    number: int,
    record: Record,
    claims: Sequence[Knowledge],
    kinds: Sequence[str],
    found: Found,
) -> None:
    """Add the moves of a game to `found`."""
    for view, heard, action in decisions_of(record, claims):
        move = move_of(view, action)
        assert view.role is not None
        for kind in kinds:
            shares = distribution(partial(bots.choose, kind, view, heard=heard))
            row = found.setdefault((kind, move, view.role), Hits())
            row.add(hit(shares, action), number)


def hit(shares: Mapping[Action, float], action: Action) -> float:
    """Return 1 if the action is the likeliest, 0 if it is not; a tie counts for its part."""
    most = max(shares.values()) - _CLOSE
    if shares.get(action, 0.0) < most:
        return 0.0
    return 1 / sum(share >= most for share in shares.values())


def move_of(view: View, action: Action) -> str:
    """Return the kind of move. A Chancellor with two equal policies decides on a veto alone."""
    match action:
        case Nominate():
            return "nomination"
        case Vote():
            return "vote"
        case Discard():
            return "discard"
        case UsePowerOn():
            return "target"
        case Enact() | ProposeVeto() if view.hand is not None and len(set(view.hand)) > 1:
            return "enactment"
        case Enact() | ProposeVeto() | AnswerVeto():
            return "veto"
        case _:
            raise AssertionError(action)


def merged(found: Found, kind: str, move: str) -> Hits:
    """Return the moves of all roles."""
    result = Hits()
    for role in Role:
        row = found.get((kind, move, role), Hits())
        result.hits += row.hits
        result.game += row.game
    return result


def data(found: Found, kinds: Sequence[str]) -> dict[str, Any]:
    """Return the shares by kind of bot and of move, for all roles and for each."""
    return {
        kind: {
            move: _row(hits)
            | {
                "by_role": {
                    str(role): _row(found[kind, move, role])
                    for role in Role
                    if (kind, move, role) in found
                }
            }
            for move in MOVES
            if len(hits := merged(found, kind, move))
        }
        for kind in kinds
    }


def _row(hits: Hits) -> dict[str, Any]:
    return {"n": len(hits), "share": hits.share, "interval_95": hits.interval}
