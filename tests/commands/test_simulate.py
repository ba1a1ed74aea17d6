"""`manage.py simulate`: the same seed gives the same games, and their records are valid."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from games.management.progress import Progress

ROOT = Path(__file__).parent.parent.parent
COUNTS = ("games", "winners", "endings", "actions", "rounds")


def simulate(*args):
    """Run the command in this process; return status, standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    status = 0
    try:
        call_command("simulate", "--language", "en", *args, stdout=out, stderr=err, no_color=True)
    except SystemExit as end:
        status = end.code
    return status, out.getvalue(), err.getvalue()


def counted(*args):
    status, out, err = simulate(*args, "--json")
    assert (status, err) == (0, "")
    return json.loads(out)


def test_json_is_one_object_with_what_was_counted():
    counts = counted("--games", "20", "--players", "5")
    assert counts["games"] == 20
    assert sum(counts["winners"].values()) == 20
    assert sum(counts["endings"].values()) == 20
    assert set(counts["winners"]) == {"liberal", "fascist"}
    assert counts["actions"] > 20 * 20
    assert counts["seconds"] > 0
    assert counts["actions_per_second"] > 0


@pytest.mark.parametrize("bots", ["uniform", "cautious"])
def test_the_same_seed_gives_the_same_games_and_records(tmp_path, bots):
    args = ("--games", "6", "--seed", "spring", "--bots", bots, "--edition", "ja")
    first = counted(*args, "--records", str(tmp_path / "a"))
    second = counted(*args, "--records", str(tmp_path / "b"))
    assert [first[name] for name in COUNTS] == [second[name] for name in COUNTS]
    for number in range(1, 7):
        name = f"game-{number:05}.json"
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_another_seed_gives_other_games():
    first, second = (counted("--games", "10", "--seed", seed) for seed in ("1", "2"))
    assert first["actions"] != second["actions"]


def test_the_games_of_a_row_differ_from_each_other(tmp_path):
    counted("--games", "3", "--records", str(tmp_path))
    texts = {path.read_text() for path in tmp_path.iterdir()}
    assert len(texts) == 3


def test_writing_records_changes_no_game(tmp_path):
    args = ("--games", "8", "--seed", "x")
    with_records = counted(*args, "--records", str(tmp_path))
    without = counted(*args)
    assert [with_records[name] for name in COUNTS] == [without[name] for name in COUNTS]


def test_every_record_replays_and_its_seal_holds(tmp_path):
    directory = tmp_path / "made" / "for it"
    args = ("--option", "players=[6,7]", "--option", 'spoken_formula=["veto"]')
    counted("--games", "4", "--records", str(directory), "--edition", "it", *args)
    paths = sorted(directory.iterdir())
    assert [path.name for path in paths] == [f"game-{number:05}.json" for number in range(1, 5)]
    for path in paths:
        record = json.loads(path.read_text(encoding="utf-8"))
        assert record["options"] == {"players": [6, 7], "spoken_formula": ["veto"]}
        assert "veto_spoken_by" not in record
        assert len(record["seats"]) == 7
        assert not any("at" in action for action in record["actions"])
        call_command("replay", str(path), "--verify", stdout=io.StringIO(), stderr=io.StringIO())


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["limits_lapse=true"], {"limits_lapse": True}),
        (["limited=enactors"], {"limited": "enactors"}),
        (['limited="enactors"'], {"limited": "enactors"}),
        (["spoken_formula=[]"], {"spoken_formula": []}),
        (["players=[5,7]", "silence=table"], {"players": [5, 7], "silence": "table"}),
        (["silence=pair"], {}),
    ],
)
def test_options_are_given_as_json_or_as_plain_words(given, expected):
    args = [word for option in given for word in ("--option", option)]
    assert counted("--games", "1", *args)["options"] == expected


def test_without_a_number_of_players_seven_play_or_as_many_as_the_rules_allow():
    assert counted("--games", "1")["players"] == 7
    assert counted("--games", "1", "--edition", "ru-5-6")["players"] == 6
    assert counted("--games", "1", "--option", "players=[9,10]")["players"] == 9


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_the_report_is_in_every_language(language):
    status, out, err = simulate("--games", "10", "--language", language)
    assert (status, err) == (0, "")
    assert len(out.splitlines()) == 14
    assert "{" not in out


def test_the_report_tells_winners_endings_and_lengths():
    _, out, _ = simulate("--games", "10")
    for expected in (
        "The liberals win",
        "Hitler is executed.",
        "Actions per game: mean",
        "Rounds per",
    ):
        assert expected in out


@pytest.mark.parametrize(
    ("args", "what"),
    [
        (["--games", "0"], "--games"),
        (["--games", "-3"], "--games"),
        (["--games", "many"], "--games"),
        (["--players", "4"], "--players"),
        (["--players", "11"], "--players"),
        (["--players", "seven"], "--players"),
        (["--players", "7", "--edition", "ru-5-6"], "--players"),
        (["--players", "8", "--option", "players=[5,7]"], "--players"),
        (["--edition", "de"], "--edition"),
        (["--bots", "brilliant"], "--bots"),
        (["--option", "luck=true"], "luck"),
        (["--option", "limits_lapse=1"], "limits_lapse"),
        (["--option", "limited=everybody"], "limited"),
        (["--option", "players=[4,12]"], "players"),
        (["--option", "silence"], "NAME=VALUE"),
    ],
)
def test_a_bad_value_is_status_2_and_a_sentence(args, what):
    status, out, err = simulate(*args)
    assert (status, out) == (2, "")
    assert what in err
    assert len(err.splitlines()) == 1


def test_records_that_cannot_be_written_are_known_before_anything_is_played(tmp_path):
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    status, out, err = simulate("--games", "1000000", "--records", str(in_the_way / "records"))
    assert (status, out) == (2, "")
    assert str(in_the_way) in err


def test_a_record_that_cannot_be_written_half_way_is_status_2(tmp_path):
    (tmp_path / "game-00002.json").mkdir()
    status, out, err = simulate("--games", "3", "--records", str(tmp_path))
    assert (status, out) == (2, "")
    assert "game-00002.json" in err


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_drawn_on_a_terminal_and_wiped():
    terminal = Terminal()
    progress = Progress(4, terminal)
    progress.show(2)
    progress.clear()
    assert " 2/4" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_progress_writes_a_line_a_minute_elsewhere(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("games.management.progress.monotonic", lambda: now[0])
    stream = io.StringIO()
    progress = Progress(4, stream)
    for done, seconds in ((1, 59), (2, 61), (3, 100), (4, 122)):
        now[0] = seconds
        progress.show(done)
    progress.clear()
    assert stream.getvalue() == "2/4\n4/4\n"


def test_the_program_prints_one_object_and_nothing_else(tmp_path):
    ended = subprocess.run(
        [sys.executable, "manage.py", "simulate", "--games", "5", "--json"],
        cwd=ROOT,
        capture_output=True,
        env={"PATH": os.environ["PATH"], "CHANCELLERY_DATA": str(tmp_path / "data")},
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert json.loads(ended.stdout)["games"] == 5
    assert list(tmp_path.iterdir()) == []
