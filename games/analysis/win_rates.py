"""How often the liberals win from a state of the tracks, counted in games between bots."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

FORMAT: Final = "chancellery-win-rates"
VERSION: Final = 1
STANDARD: Final = Path(__file__).with_name("win_rates.json")

# A rare state borrows this many games from the same state at every other number of players.
_BORROWED: Final = 20
# A state that all numbers of players together have reached less often is bounded by its neighbours.
_SURE: Final = 80
# With one more liberal policy the game is over.
_MOST_COUNTED: Final = 4

# Liberal policies, fascist policies and failed elections. Hitler's zone follows from the second.
TrackState = tuple[int, int, int]


class WinRates:
    """Games and liberal wins by number of players and state of the tracks."""

    def __init__(self, counts: Mapping[int, Mapping[TrackState, tuple[int, int]]]) -> None:
        self._counts = counts
        self._pooled: dict[TrackState, tuple[int, int]] = {}
        for states in counts.values():
            for state, (games, wins) in states.items():
                before = self._pooled.get(state, (0, 0))
                self._pooled[state] = (before[0] + games, before[1] + wins)

    def games(self, players: int, state: TrackState) -> int:
        """Return in how many games of this number of players the state was counted."""
        return self._counts.get(players, {}).get(state, (0, 0))[0]

    def liberal(self, players: int, state: TrackState) -> float:
        """Return the share of games that the liberals won from this state."""
        games, wins = self._counts.get(players, {}).get(state, (0, 0))
        all_games, all_wins = self._pooled.get(state, (0, 0))
        if not all_games and state[2]:
            # Failed elections that were never counted: the same policies without them.
            return self.liberal(players, (state[0], state[1], 0))
        borrowed = (all_wins + 1) / (all_games + 2)
        share = (wins + _BORROWED * borrowed) / (games + _BORROWED)
        if all_games < _SURE:
            # Too few games to say more than that one policy fewer or more would have been better.
            liberal, fascist, _ = state
            better = [(liberal, fascist - 1, 0)] if fascist else []
            if liberal < _MOST_COUNTED:
                better.append((liberal + 1, fascist, 0))
            share = min([share, *(self.liberal(players, each) for each in better)])
        return share


def read_win_rates(data: Mapping[str, Any]) -> WinRates:
    """Return the counts in a file. Raises ValueError if this version does not read it."""
    if data.get("format") != FORMAT or data.get("version") != VERSION:
        raise ValueError("not a file of win rates that this version reads")
    return WinRates(
        {
            int(players): {
                (liberal, fascist, tracker): (games, wins)
                for liberal, fascist, tracker, games, wins in rows
            }
            for players, rows in data["players"].items()
        }
    )


@cache
def standard_win_rates() -> WinRates:
    """Return the counts that come with the site."""
    return read_win_rates(json.loads(STANDARD.read_text(encoding="utf-8")))
