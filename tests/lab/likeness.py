"""Counts how often bots would do what people did: `python -m tests.lab.likeness FILE...`."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any, Final
from unittest.mock import patch

from games import bots
from games.bots.reasoning import play as reasoning
from games.rules.actions import Action, AnswerVeto, Discard, Enact, Nominate, ProposeVeto, Vote
from games.rules.components import Role
from games.rules.powers import UsePowerOn
from games.rules.view import View

from .corpus import AnnotatedGame, read_games
from .distribution import distribution
from .frame import arguments, fail, watched
from .habit_fitting import choices_of, decisions_of, fit
from .scores import interval

_KINDS: Final = tuple(dict.fromkeys((bots.SKILLED, bots.BASELINE)))
# The kinds of move, in the order of reports.
_MOVES: Final = ("nomination", "vote", "discard", "enactment", "target", "veto")
# Probabilities this close are the same.
_CLOSE: Final = 1e-9


@dataclass(slots=True)
class Hits:
    """For some moves of people, how far a bot would have made each: 1, 0, or a share of a tie."""

    hits: list[float] = field(default_factory=list)
    game: list[int] = field(default_factory=list)

    def data(self) -> dict[str, Any]:
        share = sum(self.hits) / len(self.hits)
        return {"n": len(self.hits), "share": share, "interval_95": interval(self.hits, self.game)}


# By kind of bot, kind of move and the role of who made it.
Found = dict[tuple[str, str, Role], Hits]


def main(argv: Sequence[str] | None = None) -> None:
    parser = arguments(__doc__, files=True, as_json=True)
    parser.add_argument("--kinds", nargs="+", default=_KINDS, choices=bots.names())
    parser.add_argument(
        "--unseen",
        action="store_true",
        help="let reasoning bots play each half of the games by the habits of the other half",
    )
    given = parser.parse_args(argv)
    games = read_games(given.files)
    if given.unseen and len(games) < 2:
        fail("--unseen needs two games.")
    told = _data(_found(games, given.kinds, given.unseen), given.kinds)
    if given.json:
        print(json.dumps({"games": len(games), "unseen": given.unseen, "kinds": told}))
    else:
        print("\n".join(_table(told, len(games))))


def _found(games: Sequence[AnnotatedGame], kinds: Sequence[str], unseen: bool) -> Found:
    found: Found = {}
    numbered = list(enumerate(games))
    if not unseen:
        for number, game in watched(numbered, len(games)):
            _count(number, game, kinds, found)
        return found
    by_game = [list(choices_of(game)) for game in watched(games, len(games))]
    for half in (0, 1):
        others = fit(chain(*by_game[1 - half :: 2]))
        with patch.object(reasoning, "standard_habits", lambda habits=others: habits):
            for number, game in watched(numbered[half::2], len(numbered[half::2])):
                _count(number, game, kinds, found)
    return found


def _count(number: int, game: AnnotatedGame, kinds: Sequence[str], found: Found) -> None:
    for view, heard, action in decisions_of(game):
        move = _move_of(view, action)
        assert view.role is not None
        for kind in kinds:
            shares = distribution(partial(bots.choose, kind, view, heard=heard))
            row = found.setdefault((kind, move, view.role), Hits())
            row.hits.append(hit(shares, action))
            row.game.append(number)


def hit(shares: Mapping[Action, float], action: Action) -> float:
    """Return 1 if the action is the likeliest, 0 if it is not; a tie counts for its part."""
    most = max(shares.values()) - _CLOSE
    if shares.get(action, 0.0) < most:
        return 0.0
    return 1 / sum(share >= most for share in shares.values())


def _move_of(view: View, action: Action) -> str:
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


def _data(found: Found, kinds: Sequence[str]) -> dict[str, Any]:
    """Return the shares by kind of bot and of move, for all roles and for each."""
    told: dict[str, Any] = {kind: {} for kind in kinds}
    for kind in kinds:
        for move in _MOVES:
            roles = {role: found[kind, move, role] for role in Role if (kind, move, role) in found}
            if roles:
                every = Hits(
                    [hit for row in roles.values() for hit in row.hits],
                    [game for row in roles.values() for game in row.game],
                )
                by_role = {str(role): row.data() for role, row in roles.items()}
                told[kind][move] = every.data() | {"by_role": by_role}
    return told


def _table(told: dict[str, Any], games: int) -> Iterator[str]:
    yield f"In {games} games, the share of people’s moves that each kind of bot finds likeliest"
    for move in _MOVES:
        rows = {kind: row[move] for kind, row in told.items() if move in row}
        if rows:
            yield f"\n{move}: {next(iter(rows.values()))['n']}"
        for kind, row in rows.items():
            low, high = row["interval_95"]
            yield f"  {kind:<9} {row['share']:>6.1%} ({low:.1%} - {high:.1%})"


if __name__ == "__main__":
    main()
