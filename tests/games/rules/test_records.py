"""Hand-made games: each record in tests/records replays to the positions stored with it."""

import json
from pathlib import Path

import pytest

from games.rules.components import Policy
from games.rules.record import position_json, read_record, record_json, replay, verify

RECORDS = sorted((Path(__file__).parents[2] / "records").glob("*.json"))


def test_there_are_games_by_hand():
    assert len(RECORDS) >= 8
    told = {json.loads(path.read_text())["edition"] for path in RECORDS}
    assert told == {"en", "pl", "ru", "ru-5-6", "ja", "it"}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_game_by_hand_replays_to_the_positions_beside_it(path):
    expected = path.with_suffix(".expected.jsonl").read_text().splitlines()
    positions = list(replay(read_record(json.loads(path.read_text()))))
    for position, line in zip(positions, expected, strict=True):
        assert json.dumps(position_json(position)) == json.dumps(json.loads(line)), position.after
        state = position.state
        seen = [*state.draw, *state.discards, *state.hand]
        assert seen.count(Policy.LIBERAL) == 6 - state.liberal
        assert seen.count(Policy.FASCIST) == 11 - state.fascist


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_game_by_hand_is_finished_and_written_back_as_it_is(path):
    data = json.loads(path.read_text())
    record = read_record(data)
    assert record.outcome is not None
    written = record_json(record)
    for key in ("edition", "seats", "deal", "actions", "outcome"):
        assert written[key] == data[key]
    assert written["options"] == data.get("options", {})
    assert written["shuffles"] == data.get("shuffles", [])


def test_the_sealed_game_verifies():
    path = next(path for path in RECORDS if path.stem == "en-sealed")
    assert verify(read_record(json.loads(path.read_text()))) == []
