"""`manage.py likeness`: how often bots would do what was done in finished games."""

import gzip
import io
import json

import pytest
from django.core.management import call_command

from games.bots.reasoning.habits import Habits, playing_by, standard_habits
from games.management.likeness import hit

from .records import sealed_record


def run(*args):
    """Run the command in this process; return status, standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    status = 0
    try:
        call_command("likeness", "--language", "en", *map(str, args), stdout=out, stderr=err)
    except SystemExit as end:
        status = end.code
    return status, out.getvalue(), err.getvalue()


@pytest.fixture
def file(tmp_path):
    """Return a file of games that cautious bots played."""
    games = [{"record": sealed_record(number=n, bots="cautious"), "claims": []} for n in (1, 2, 3)]
    path = tmp_path / "games.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, games)).encode()))
    return path


def test_a_kind_of_bot_makes_its_own_moves_more_often_than_others_do(file):
    status, out, err = run(file, "--json")
    assert (status, err) == (0, "")
    told = json.loads(out)
    assert told["games"] == 3
    cautious, uniform = told["kinds"]["cautious"], told["kinds"]["uniform"]
    assert cautious["vote"]["share"] == 1
    for move, row in cautious.items():
        assert row["n"] == uniform[move]["n"] == told["kinds"]["reasoner"][move]["n"]
        assert row["share"] >= uniform[move]["share"]
        assert sum(part["n"] for part in row["by_role"].values()) == row["n"]
        low, high = row["interval_95"]
        assert low <= row["share"] <= high


def test_any_legal_move_finds_every_ballot_as_likely_as_not(file):
    _, out, _ = run(file, "--json", "--kinds", "uniform")
    assert json.loads(out)["kinds"]["uniform"]["vote"]["share"] == 0.5


def test_fewer_games_can_be_asked_for(file):
    _, out, _ = run(file, "--json", "--kinds", "uniform", "--games", 1)
    assert json.loads(out)["games"] == 1


def test_a_tie_counts_for_its_part():
    assert hit({"a": 0.5, "b": 0.3, "c": 0.2}, "a") == 1
    assert hit({"a": 0.5, "b": 0.3, "c": 0.2}, "b") == 0
    assert hit({"a": 0.4, "b": 0.4, "c": 0.2}, "b") == 0.5


def test_habits_of_the_other_half_move_the_reasoning_bots_alone(file):
    seen = json.loads(run(file, "--json")[1])["kinds"]
    before = standard_habits()
    told = json.loads(run(file, "--json", "--unseen")[1])
    assert told["unseen"]
    assert told["kinds"]["cautious"]["vote"] == seen["cautious"]["vote"]
    assert told["kinds"]["reasoner"] != seen["reasoner"]
    assert standard_habits().weights == before.weights


def test_other_habits_last_only_as_long_as_they_are_asked_for():
    before, other = standard_habits().weights, {"vote liberal": {"always": 9.0}}
    with playing_by(Habits(other)):
        assert standard_habits().weights == other
    assert standard_habits().weights == before


def test_the_table_is_for_people(file):
    status, out, _ = run(file, "--kinds", "cautious", "--unseen")
    assert status == 0
    assert "In 3 games" in out and "votes: " in out and "the other half" in out


@pytest.mark.parametrize("number", [0, -1])
def test_no_games_are_refused(file, number):
    status, out, err = run(file, "--games", number)
    assert (status, out) == (2, "")
    assert "--games" in err
