"""`manage.py balance` and `retrain`: files of models, with their source, made by one command."""

import json

import pytest

from games.analysis.win_rates import read_win_rates
from games.bots import SIMPLE
from games.management.commands import retrain, win_rates
from games.services.balance import read_standard, standard_mixes
from games.simulation import balance as simulated

from .in_process import run


@pytest.fixture
def quick_games(monkeypatch):
    """Let the liberals win every second game, without playing it."""
    monkeypatch.setattr(
        simulated, "liberal_wins", lambda measured, seed, numbers: len(numbers) // 2
    )


def test_the_balance_of_every_edition_and_size_is_written_with_its_source(quick_games, tmp_path):
    path = tmp_path / "balance.json"

    status, out, err = run("balance", "--games", 4, "--out", path)

    assert (status, err) == (0, "")
    assert str(path) in out
    data = json.loads(path.read_text())
    assert data["command"] == "manage.py balance --games 4 --seed 1"
    shares = read_standard(data)
    assert set(shares) == set(standard_mixes())
    assert {(s.games, s.baseline, s.skilled) for s in shares.values()} == {(4, 0.5, 0.5)}


def test_the_winning_chances_of_every_size_are_written_with_their_source(monkeypatch, tmp_path):
    monkeypatch.setattr(win_rates, "SKILLED", SIMPLE)
    path = tmp_path / "win_rates.json"

    status, out, err = run("win_rates", "--games", 2, "--out", path)

    assert (status, err) == (0, "")
    assert "12" in out
    data = json.loads(path.read_text())
    assert data["command"] == "manage.py win_rates --games 2 --seed 1"
    rates = read_win_rates(data)
    assert {rates.games(players, (0, 0, 0)) for players in range(5, 11)} == {2}


def test_without_games_or_processes_there_is_nothing_to_measure(tmp_path):
    for wrong in (("--games", 0), ("--jobs", 0)):
        for command in ("balance", "win_rates"):
            status, _, err = run(command, *wrong, "--out", tmp_path / "x.json")
            assert (status, "Nothing to play" in err) == (2, True)
    assert not (tmp_path / "x.json").exists()


def test_a_file_that_cannot_be_written_is_told(quick_games, tmp_path):
    status, _, err = run("balance", "--games", 1, "--out", tmp_path / "no" / "x.json")
    assert (status, "Can’t write" in err) == (2, True)


def test_another_version_of_the_file_is_refused():
    with pytest.raises(ValueError, match="not a file of balances"):
        read_standard({"format": "chancellery-balance", "version": 99, "mixes": []})


def test_retraining_fits_first_and_then_plays_with_what_was_fitted(monkeypatch):
    commands = []

    def done(command, **how):
        commands.append(command[2:])
        return type("Done", (), {"returncode": 0})

    monkeypatch.setattr(retrain.subprocess, "run", done)

    assert run("retrain", "a.gz", "b.gz", "--games", 9, "--jobs", 2)[0] == 0

    assert commands == [
        ["fit_evidence", "a.gz", "b.gz"],
        ["fit_habits", "a.gz", "b.gz"],
        ["balance", "--games", "9", "--jobs", "2"],
        ["win_rates", "--games", "9", "--jobs", "2"],
    ]


def test_retraining_stops_at_the_first_step_that_fails(tmp_path):
    status, _, _ = run("retrain", tmp_path / "none.gz")
    assert status == 2
