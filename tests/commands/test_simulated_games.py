"""Games of every edition, each one written, read back, replayed and verified.

SIMULATED_GAMES sets how many of each edition.
"""

import json
from collections import deque

import pytest

from games.rules.editions import EDITIONS, options_of
from games.rules.phases import Phase
from games.rules.record import read_record, record_json, replay, verify
from games.simulation.games import both, play_game
from tests.nightly import times

GAMES = times("SIMULATED_GAMES", 60, 500)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_game_comes_back_from_its_record(edition: str) -> None:
    options = options_of(edition)
    least, most = options.players
    for number in range(1, GAMES + 1):
        players = least + number % (most - least + 1)
        game = play_game(options, players, f"rules {edition}", number, both("uniform"))
        record = read_record(json.loads(json.dumps(record_json(game.record(edition)))))
        (last,) = deque(replay(record), maxlen=1)
        assert last.after == len(game.actions)
        assert last.state == game.state
        assert last.state.phase is Phase.OVER
        assert verify(record) == []
