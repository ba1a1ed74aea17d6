"""`manage.py evidence` and `fit_evidence`: scores and tables from files, and errors with a line."""

import gzip
import json

import pytest

from games.inference.tables import STANDARD, read_tables

from .in_process import run
from .records import sealed_record


def lines(path, items):
    text = "\n".join(item if isinstance(item, str) else json.dumps(item) for item in items)
    path.write_bytes(gzip.compress(text.encode()))
    return path


@pytest.fixture
def file(tmp_path):
    games = [{"record": sealed_record(number=n), "claims": []} for n in range(1, 7)]
    return lines(tmp_path / "games.jsonl.gz", games)


def test_json_has_the_scores_of_both_questions_and_views(file):
    status, out, err = run("evidence", file, "--json")
    assert (status, err) == (0, "")
    told = json.loads(out)
    for question in ("fascist", "hitler"):
        for view in ("public", "liberal"):
            assert {"log_loss", "brier", "auc", "ece", "reliability"} <= set(told[question][view])
    assert told["seat_moments"] == told["fascist"]["public"]["n"] > 0
    assert told["before_final_action"]["fascist"]["public"]["n"] == 6 * 7


def test_without_json_the_report_is_for_people(file):
    status, out, _ = run("evidence", file)
    assert status == 0
    assert "log loss" in out and "fascist, liberal" in out


def test_folds_score_games_that_the_tables_have_not_seen(file):
    status, out, _ = run("evidence", file, "--folds", 2, "--json")
    assert status == 0
    assert json.loads(out)["folds"] == 2


def test_the_same_games_give_the_same_tables(file, tmp_path):
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    assert run("fit_evidence", file, "--out", one)[0] == 0
    assert run("fit_evidence", file, "--out", two)[0] == 0
    assert one.read_bytes() == two.read_bytes()
    assert read_tables(json.loads(one.read_text())).about["source"]["games"] == 6


def test_the_tables_that_come_with_the_program_say_where_they_are_from():
    tables = read_tables(json.loads(STANDARD.read_text()))
    assert tables.about["command"].startswith("manage.py fit_evidence")
    assert tables.data() == json.loads(STANDARD.read_text())


@pytest.mark.parametrize("command", ["evidence", "fit_evidence"])
def test_a_file_that_is_not_gzip_is_refused(command, tmp_path):
    path = tmp_path / "plain.jsonl"
    path.write_text("{}")
    status, out, err = run(command, path)
    assert (status, out) == (2, "")
    assert "isn’t a gzip file" in err


@pytest.mark.parametrize("command", ["evidence", "fit_evidence"])
def test_an_error_names_the_line(command, tmp_path):
    good = {"record": sealed_record(), "claims": []}
    unknown = {"record": sealed_record() | {"version": 9}, "claims": []}
    illegal = {"record": sealed_record(), "claims": []}
    illegal["record"]["actions"][0]["target"] = illegal["record"]["actions"][0]["seat"]
    lie = good | {"claims": [{"round": 99, "seat": 0, "kind": "peek", "claimed": ["fascist"] * 3}]}
    for bad in (unknown, illegal, lie, "not JSON"):
        status, out, err = run(command, lines(tmp_path / "bad.gz", [good, bad]))
        assert (status, out) == (2, "")
        assert "line 2" in err


def test_more_folds_than_games_are_refused(file):
    status, _, err = run("evidence", file, "--folds", 99)
    assert status == 2
    assert "--folds" in err
