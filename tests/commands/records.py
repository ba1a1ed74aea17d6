"""Records as input for commands: played by bots, or changed by hand."""

import copy
import json
from pathlib import Path
from typing import Any

from games.rules.editions import options_of
from games.rules.record import record_json
from games.simulation.games import both, play_game

RECORDS = Path(__file__).parent.parent / "records"


def sealed_record(
    edition: str = "en", players: int = 7, number: int = 1, bots: str = "uniform"
) -> dict[str, Any]:
    """Return a finished game's record with its seal, as JSON values."""
    game = play_game(options_of(edition), players, "tests", number, both(bots))
    return copy.deepcopy(record_json(game.record(edition)))


def with_shuffles() -> dict[str, Any]:
    """Return a sealed record of a game in which the discards were shuffled in."""
    return next(
        record for number in range(1, 50) if (record := sealed_record(number=number))["shuffles"]
    )


def written(tmp_path: Path, record: object) -> str:
    """Write the record to a file and return its path."""
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    return str(path)
