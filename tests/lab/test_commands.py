"""Each command of the lab, on a few games: what it writes and prints, and what it refuses."""

import gzip
import json
from subprocess import CompletedProcess

import pytest

from games.analysis.win_rates import read_win_rates
from games.bots.reasoning.habits import standard_habits
from games.inference.tables import STANDARD, read_tables
from games.rules.editions import options_of
from games.rules.record import read_record, record_json, replay, verify
from games.services import balance as balances
from games.simulation.games import both, play_game

from . import (
    balance,
    deeds,
    detective,
    evidence,
    fit_evidence,
    fit_habits,
    likeness,
    make_puzzles,
    retrain,
    simulate,
    tournament,
    transcript,
    tree_search,
    win_rates,
)


def lines(path, items):
    text = "\n".join(item if isinstance(item, str) else json.dumps(item) for item in items)
    path.write_bytes(gzip.compress(text.encode()))
    return str(path)


def record(number=1):
    game = play_game(options_of("en"), 7, "tests", number, both("reasoner"))
    return json.loads(json.dumps(record_json(game.record("en"))))


@pytest.fixture
def file(tmp_path):
    """Return a file of games that reasoning bots played."""
    return lines(tmp_path / "games.gz", [{"record": record(n), "claims": []} for n in range(1, 5)])


@pytest.fixture
def told(capsys):
    """Return a function that runs a command and returns the JSON that it prints."""

    def run(command, *args):
        command.main([*args, "--json"])
        return json.loads(capsys.readouterr().out)

    return run


def test_evidence_has_the_scores_of_both_questions_and_views(told, file):
    for folds in ([], ["--folds", "2"]):
        found = told(evidence, file, *folds)
        for question in ("fascist", "hitler"):
            for view in ("public", "liberal"):
                row = found[question][view]
                assert {"log_loss", "log_loss_95", "brier", "auc", "ece", "n"} < set(row)
        assert found["seat_moments"] == found["fascist"]["public"]["n"] > 0
        assert found["before_final_action"]["fascist"]["public"]["n"] == 4 * 7
        assert (found["games"], found["folds"]) == (4, 2 if folds else None)


def test_without_json_evidence_is_for_people(file, capsys):
    evidence.main([file])
    assert "fascist, liberal\n  log loss 0." in capsys.readouterr().out


def test_the_tables_that_are_fitted_are_tables_that_the_site_reads(file, tmp_path):
    path = tmp_path / "tables.json"
    fit_evidence.main([file, "--out", str(path)])
    data = json.loads(path.read_text())
    assert data["source"]["games"] == 4
    assert data["command"] == "python -m tests.lab.fit_evidence games.gz"
    assert fit_evidence.tables_json(read_tables(data)).items() <= data.items()


def test_the_site_s_own_tables_come_back_as_they_were_written():
    data = json.loads(STANDARD.read_text())
    assert data["command"].startswith("python -m tests.lab.fit_evidence")
    assert fit_evidence.tables_json(read_tables(data)).items() <= data.items()


def test_habits_are_fitted_for_each_choice_and_role(file, tmp_path):
    path = tmp_path / "habits.json"
    fit_habits.main([file, "--out", str(path)])
    data = json.loads(path.read_text())
    assert {"vote liberal", "vote fascist", "nominate liberal"} <= set(data["weights"])
    assert set(data["weights"]) <= set(standard_habits().weights)


@pytest.mark.parametrize("command", [evidence, fit_evidence])
def test_an_error_names_the_line(command, tmp_path, capsys):
    good = {"record": record(), "claims": []}
    unknown = {"record": record() | {"version": 9}, "claims": []}
    illegal = {"record": record(), "claims": []}
    illegal["record"]["actions"][0]["target"] = illegal["record"]["actions"][0]["seat"]
    lie = good | {"claims": [{"round": 99, "seat": 0, "kind": "peek", "claimed": ["fascist"] * 3}]}
    for bad in (unknown, illegal, lie, "not JSON"):
        with pytest.raises(SystemExit, match="2"):
            command.main([lines(tmp_path / "bad.gz", [good, bad])])
        assert "line 2" in capsys.readouterr().err


def test_a_file_that_is_not_gzip_is_refused(tmp_path, capsys):
    path = tmp_path / "plain.jsonl"
    path.write_text("{}")
    with pytest.raises(SystemExit, match="2"):
        evidence.main([str(path)])
    assert "isn’t a gzip file" in capsys.readouterr().err


def test_the_balance_of_every_edition_and_size_is_written(monkeypatch, tmp_path):
    monkeypatch.setattr(balances, "liberals_win", lambda *about: about[-1] % 2 == 0)
    path = tmp_path / "balance.json"
    balance.main(["--games", "4", "--out", str(path)])
    shares = balances.read_standard(json.loads(path.read_text()))
    assert set(shares) == set(balances.standard_mixes())
    assert {(s.games, s.baseline, s.skilled) for s in shares.values()} == {(4, 0.5, 0.5)}


def test_the_winning_chances_of_every_size_are_written(tmp_path):
    path = tmp_path / "win_rates.json"
    win_rates.main(["--games", "2", "--kind", "uniform", "--out", str(path)])
    found = read_win_rates(json.loads(path.read_text()))
    assert {found.games(players, (0, 0, 0)) for players in range(5, 11)} == {2}


def test_a_file_that_cannot_be_written_is_told(tmp_path, capsys):
    with pytest.raises(SystemExit, match="2"):
        win_rates.main(["--games", "1", "--kind", "uniform", "--out", str(tmp_path / "no" / "x")])
    assert "Can’t write" in capsys.readouterr().err


def test_retraining_fits_first_then_plays_with_what_was_fitted_and_stops_at_a_failure(monkeypatch):
    commands = []

    def run(command, check):
        commands.append(command[2:])
        return CompletedProcess(command, 2 if command[2] == "tests.lab.balance" else 0)

    monkeypatch.setattr(retrain.subprocess, "run", run)
    with pytest.raises(SystemExit, match="2"):
        retrain.main(["a.gz", "b.gz", "--games", "9", "--jobs", "2"])
    assert commands == [
        ["tests.lab.fit_evidence", "a.gz", "b.gz"],
        ["tests.lab.fit_habits", "a.gz", "b.gz"],
        ["tests.lab.balance", "--games", "9", "--jobs", "2"],
    ]


UNIFORM = ("--liberals", "uniform", "--fascists", "uniform", "--players", "5", "--games", "12")


def test_each_pairing_plays_all_its_games_the_same_in_several_processes(told):
    [row] = told(tournament, *UNIFORM)["pairings"]
    assert sum(row["endings"].values()) == row["games"] == 12
    low, high = row["interval_95"]
    assert low < row["liberals_win"] < high
    assert told(tournament, *UNIFORM, "--jobs", "2")["pairings"] == [row]


def test_the_report_of_a_tournament_names_edition_size_and_kinds(capsys):
    tournament.main(UNIFORM)
    text = capsys.readouterr().out
    assert "en, 5 players, 12 games" in text and "uniform - uniform" in text


def test_a_kind_of_bot_makes_its_own_moves_more_often_than_others_do(told, file):
    kinds = told(likeness, file)["kinds"]
    assert kinds["uniform"]["vote"]["share"] == 0.5 < kinds["reasoner"]["vote"]["share"]
    for move, row in kinds["reasoner"].items():
        assert row["n"] == kinds["uniform"][move]["n"]
        assert row["share"] >= kinds["uniform"][move]["share"]
        assert sum(part["n"] for part in row["by_role"].values()) == row["n"]


@pytest.mark.nightly
def test_habits_of_the_other_half_move_the_reasoning_bots_alone(told, file):
    seen, unseen = told(likeness, file)["kinds"], told(likeness, file, "--unseen")["kinds"]
    assert unseen["uniform"] == seen["uniform"]
    assert unseen["reasoner"] != seen["reasoner"]
    assert told(likeness, file)["kinds"] == seen


def test_a_tie_counts_for_its_part():
    assert likeness.hit({"a": 0.5, "b": 0.3, "c": 0.2}, "a") == 1
    assert likeness.hit({"a": 0.5, "b": 0.3, "c": 0.2}, "b") == 0
    assert likeness.hit({"a": 0.4, "b": 0.4, "c": 0.2}, "b") == 0.5


def test_simulated_games_are_counted_and_their_records_verify(told, tmp_path):
    args = ("--games", "4", "--edition", "it", "--option", "players=[6,7]", "--records")
    found = told(simulate, *args, str(tmp_path / "made" / "here"))
    assert (found["games"], found["players"], found["options"]) == (4, 7, {"players": [6, 7]})
    assert sum(found["winners"].values()) == sum(found["endings"].values()) == 4
    paths = sorted((tmp_path / "made" / "here").iterdir())
    assert [path.name for path in paths] == [f"game-{number:05}.json" for number in range(1, 5)]
    for path in paths:
        played = read_record(json.loads(path.read_text(encoding="utf-8")))
        assert list(replay(played))[-1].state.outcome == played.outcome
        assert verify(played) == []
    again = told(simulate, *args, str(tmp_path / "again"))
    assert again["actions"] == found["actions"]


@pytest.mark.parametrize(
    "wrong",
    [
        ("--games", "0"),
        ("--players", "4"),
        ("--players", "7", "--edition", "ru-5-6"),
        ("--option", "luck=true"),
        ("--option", "silence"),
    ],
)
def test_rules_that_cannot_be_played_are_refused(wrong, capsys):
    with pytest.raises(SystemExit, match="2"):
        simulate.main(wrong)
    assert wrong[1].partition("=")[0] in capsys.readouterr().err or wrong[0] == "--players"


def test_a_transcript_tells_the_same_game_in_another_language(capsys):
    texts = []
    for language in ("en", "ru"):
        transcript.main(["--players", "5", "--language", language])
        texts.append(capsys.readouterr().out)
    assert "nominates" in texts[0] and "[drew " in texts[0]
    assert texts[0] != texts[1]
    assert len(texts[0].splitlines()) == len(texts[1].splitlines())


def test_deeds_are_counted_by_level_the_same_in_several_processes(told, capsys):
    args = ("--games", "2", "--players", "5")
    found = told(deeds, *args)
    assert found["games"] == 2 and set(found["figures"]) == set(deeds.FIGURES)
    nominated = found["figures"]["own nominee"]
    assert sum(whole for _, whole in nominated.values()) > 4
    assert told(deeds, *args, "--jobs", "2") == found
    deeds.main(args)
    assert "a President votes Nein on their own nominee" in capsys.readouterr().out


def test_puzzles_are_written_as_the_site_reads_them(monkeypatch, tmp_path):
    monkeypatch.setattr("games.services.puzzles.games_of", lambda series: iter([{"seed": series}]))
    path = tmp_path / "puzzles.json"
    make_puzzles.main(["--games", "1", "--seed", "x", "--out", str(path)])
    assert json.loads(path.read_text()) == {"games": [{"seed": "x"}]}
    for wrong in (["--games", "0", "--out", str(path)], ["--out", str(tmp_path / "none" / "file")]):
        with pytest.raises(SystemExit):
            make_puzzles.main(wrong)
    assert json.loads(path.read_text()) == {"games": [{"seed": "x"}]}


def test_the_detective_and_the_tree_search_report_a_game(told, capsys):
    found = told(detective, "--games", "2", "--players", "5", "--kind", "uniform")
    assert found["games"] == 2
    tree_search.main(["--games", "1", "--players", "5", "--iterations", "2"])
    assert "search    wins" in capsys.readouterr().out
