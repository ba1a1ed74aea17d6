"""`manage.py replay`: what RECORD.md specifies, and the exit statuses."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from games.management.commands import replay as replay_command
from games.management.languages import environment_language
from games.rules.editions import EDITIONS

from .records import RECORDS, sealed_record, with_shuffles, written

ROOT = Path(__file__).parent.parent.parent
KEYS = [
    "after", "phase", "to_act", "candidate", "nominee", "president", "chancellor", "liberal",
    "fascist", "tracker", "draw", "discard", "alive", "limited", "eligible", "veto_unlocked",
    "events", "winner", "ending",
]  # fmt: skip
LANGUAGES = [code for code, _ in settings.LANGUAGES]


def replay(*args):
    """Run the command in this process; return status, standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    status = 0
    try:
        call_command("replay", "--language", "en", *args, stdout=out, stderr=err, no_color=True)
    except SystemExit as end:
        status = end.code
    return status, out.getvalue(), err.getvalue()


def run(*args, stdin=b"", **environment):
    """Run the command in its own process, with only the given environment variables and PATH."""
    return subprocess.run(
        [sys.executable, "manage.py", "replay", *args],
        cwd=ROOT,
        input=stdin,
        capture_output=True,
        env={"PATH": os.environ["PATH"], **environment},
    )


# JSON output -----------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.json")), ids=lambda path: path.stem)
def test_a_record_made_by_hand_replays_as_it_was_worked_out_by_hand(path):
    status, out, err = replay(str(path), "--json")
    expected = path.with_suffix(".expected.jsonl").read_text(encoding="utf-8")
    assert (status, err) == (0, "")
    assert list(map(json.loads, out.splitlines())) == list(map(json.loads, expected.splitlines()))


def test_json_has_the_documented_keys_in_every_position(tmp_path):
    record = sealed_record()
    status, out, _ = replay(written(tmp_path, record), "--json")
    positions = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [position["after"] for position in positions] == list(range(len(record["actions"]) + 1))
    assert all(list(position) == KEYS for position in positions)
    assert positions[-1]["winner"] == record["outcome"]["winner"]


def test_keys_that_no_one_knows_are_ignored(tmp_path):
    record = sealed_record() | {"event": "club night"}
    record["actions"][0]["comment"] = {"by": ["me"]}
    assert replay(written(tmp_path, record), "--json")[0] == 0


# Text output ------------------------------------------------------------------


def test_the_game_is_told_in_words_round_by_round_hidden_things_included(tmp_path):
    record = sealed_record()
    record["seats"] = ["Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gil"]
    status, out, err = replay(written(tmp_path, record))
    assert (status, err) == (0, "")
    assert out.startswith("English rules, 7 players\n")
    for expected in ("Round 1\n", "Round 2\n", ", Hitler\n", " draws ", " discards a "):
        assert expected in out
    assert out.rstrip().endswith("win.")


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_is_told_in_every_language(tmp_path, edition):
    path = written(tmp_path, sealed_record(edition, 6, bots="reasoner"))
    for language in LANGUAGES:
        status, out, err = replay(path, "--language", language)
        assert (status, err) == (0, ""), language
        assert len(out.splitlines()) > 20, language
        assert "{" not in out, language


def test_house_rules_are_told(tmp_path):
    record = sealed_record()
    record["options"] = {"silence": "table"}
    _, out, _ = replay(written(tmp_path, record))
    assert "House rule: Silence: Everyone\n" in out


def test_a_ballot_cast_again_is_told(tmp_path):
    record = sealed_record()
    first = record["actions"][1]
    record["actions"].insert(1, first | {"ballot": {"ja": "nein", "nein": "ja"}[first["ballot"]]})
    status, out, _ = replay(written(tmp_path, record))
    assert status == 0
    assert f"Bot {first['seat'] + 1} votes {first['ballot'].title()}.\n" in out


def test_an_unfinished_game_is_told_as_far_as_it_goes_with_the_ballots_that_are_in(tmp_path):
    record = sealed_record()
    record["actions"] = record["actions"][:4]
    record["outcome"] = None
    record["shuffles"] = []
    status, out, _ = replay(written(tmp_path, record))
    assert status == 0
    assert out.count(" votes ") == 3
    assert out.rstrip().endswith("before the game does.")


def test_a_name_cannot_move_the_cursor(tmp_path):
    record = sealed_record()
    record["seats"][0] = "\x1b[2JAda\n"
    _, out, _ = replay(written(tmp_path, record))
    assert "\x1b" not in out
    assert "Ada\n," not in out


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({}, "en"),
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": "pl_PL"}, "pl"),
        ({"LANG": "ru"}, "ru"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "it_IT.UTF-8", "LC_ALL": ""}, "it"),
        ({"LANG": "it_IT.UTF-8", "LC_ALL": "C"}, "en"),
    ],
)
def test_the_terminals_language_is_the_default(monkeypatch, variables, language):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert environment_language() == language


# Status 1: an illegal action ---------------------------------------------------------------------


def test_an_illegal_action_stops_the_replay_after_the_positions_before_it(tmp_path):
    record = sealed_record()
    record["actions"][1] = {"seat": record["actions"][0]["seat"], "action": "peek"}
    status, out, err = replay(written(tmp_path, record), "--json")
    assert status == 1
    assert [json.loads(line)["after"] for line in out.splitlines()] == [0, 1]
    lines = err.splitlines()
    assert lines[0].startswith("Action 2 is illegal: ")
    assert '"action": "peek"' in lines[0]
    assert lines[1] == "The game is waiting for a different decision."
    legal = [json.loads(line) for line in lines[3:]]
    assert len(legal) == 14
    assert {"seat": 3, "action": "vote", "ballot": "nein"} in legal


def test_an_action_after_the_end_is_illegal(tmp_path):
    record = sealed_record()
    record["actions"].append(record["actions"][0])
    status, out, err = replay(written(tmp_path, record), "--json")
    assert status == 1
    assert len(out.splitlines()) == len(record["actions"])
    assert "The game is over." in err


def test_an_illegal_action_stops_the_telling_in_words_too(tmp_path):
    record = sealed_record()
    record["actions"][0]["target"] = record["actions"][0]["seat"]
    status, out, err = replay(written(tmp_path, record))
    assert status == 1
    assert "Round 1" in out
    assert "Players can’t choose themselves." in err


# Status 2: not a record ---------------------------------------------------------------------


def _without(record, key):
    del record[key]


def _set(*path, value):
    def change(record):
        for key in path[:-1]:
            record = record[key]
        record[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (_set("format", value="chess"), "format"),
        (_set("version", value=2), "version"),
        (_set("version", value=True), "version"),
        (_set("edition", value="de"), "edition"),
        (_set("options", value={"luck": True}), "options.luck"),
        (_set("options", value={"silence": "never"}), "options.silence"),
        (_set("seats", value=["Ada"] * 4), "seats"),
        (_set("seats", 3, value=7), "seats[3]"),
        (_set("deal", "roles", 0, value="spy"), "deal.roles[0]"),
        (_set("deal", "roles", value=["liberal"] * 7), "deal.roles"),
        (_set("deal", "draw_pile", value=["liberal"] * 17), "deal.draw_pile"),
        (_set("deal", "first_candidate", value=7), "deal.first_candidate"),
        (_set("actions", 3, "action", value="bluff"), "actions[3].action"),
        (_set("actions", 3, "seat", value=-1), "actions[3].seat"),
        (_set("actions", 0, "target", value=1.0), "actions[0].target"),
        (_set("actions", 2, "ballot", value="yes"), "actions[2].ballot"),
        (_set("outcome", "ending", value="boredom"), "outcome.ending"),
        (_set("seal", "seed", value="00"), "seal.seed"),
        (lambda record: _without(record, "deal"), "deal"),
        (lambda record: _without(record, "actions"), "actions"),
    ],
)
def test_a_wrong_shape_is_found_before_anything_is_printed(tmp_path, change, where):
    record = sealed_record()
    change(record)
    status, out, err = replay(written(tmp_path, record), "--json")
    assert (status, out) == (2, "")
    assert err.startswith(f"{where}: ")


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b"", "1:1"),
        (b'{\n  "format": nonsense', "2:13"),
        (b"[]", "."),
        (b"\xff\xfe{}", "1:1"),
        (b'{"seats":\n["\xe9"]}', "2:3"),
        (b'{"a": [1, {"b": NaN}]}', "a[1].b"),
        (b'{"a": -Infinity}', "a"),
        (b'{"deal": {"roles": [], "roles": []}}', "deal.roles"),
        (b'{"a": 1' + b"0" * 5_000 + b"}", "."),
        (b"[" * 200_000, "."),
        (b'{"a": ' * 200_000, "."),
    ],
)
def test_what_is_not_json_is_refused_with_its_place(tmp_path, data, where):
    path = tmp_path / "record.json"
    path.write_bytes(data)
    status, out, err = replay(str(path))
    assert (status, out) == (2, "")
    assert err.startswith(f"{where}: ")
    assert len(err.splitlines()) == 1


def test_a_byte_order_mark_does_no_harm(tmp_path):
    path = Path(written(tmp_path, sealed_record()))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert replay(str(path))[0] == 0


@pytest.mark.parametrize("name", ["nowhere.json", ".", "\0"])
def test_a_file_that_cannot_be_read_is_named(tmp_path, name):
    status, out, err = replay(str(tmp_path / name))
    assert (status, out) == (2, "")
    assert str(tmp_path) in err


def test_a_missing_shuffle_is_found_when_it_is_needed(tmp_path):
    record = with_shuffles()
    del record["shuffles"], record["seal"]
    status, out, err = replay(written(tmp_path, record), "--json")
    assert status == 2
    assert 1 < len(out.splitlines()) < len(record["actions"])
    assert err.startswith("shuffles[0]: ")


def test_an_impossible_shuffle_is_found_when_it_is_needed(tmp_path):
    record = with_shuffles()
    record["shuffles"][0].append("liberal")
    status, out, err = replay(written(tmp_path, record), "--json")
    assert status == 2
    assert out
    assert err.startswith("shuffles[0]: ")


def test_an_unused_shuffle_is_found_at_the_end(tmp_path):
    record = sealed_record()
    used = len(record["shuffles"])
    record["shuffles"].append(["liberal"])
    status, out, err = replay(written(tmp_path, record), "--json")
    assert status == 2
    assert len(out.splitlines()) == len(record["actions"]) + 1
    assert err.startswith(f"shuffles[{used}]: ")


def test_a_contradicting_outcome_is_found_at_the_end(tmp_path):
    record = sealed_record()
    record["actions"].pop()
    status, out, err = replay(written(tmp_path, record), "--json")
    assert status == 2
    assert len(out.splitlines()) == len(record["actions"]) + 1
    assert err.startswith("outcome: ")


# Status 3: a broken seal ---------------------------------------------------------------------


def test_a_seal_that_holds_is_said_and_the_game_is_told(tmp_path):
    status, out, err = replay(written(tmp_path, with_shuffles()), "--verify")
    assert (status, err) == (0, "The seal holds.\n")
    assert "Round 1" in out


def test_everything_that_differs_from_the_seal_is_named_on_a_line_of_its_own(tmp_path):
    record = with_shuffles()
    record["seal"]["commitment"] = "0" * 64
    record["deal"]["roles"].reverse()
    record["deal"]["draw_pile"].reverse()
    record["deal"]["first_candidate"] = (record["deal"]["first_candidate"] + 1) % 7
    record["shuffles"][0].sort()
    status, out, err = replay(written(tmp_path, record), "--verify")
    assert (status, out) == (3, "")
    assert [line.partition(":")[0] for line in err.splitlines()] == [
        "seal.commitment",
        "deal.roles",
        "deal.draw_pile",
        "deal.first_candidate",
        "shuffles[0]",
    ]


def test_another_players_contribution_breaks_the_seal(tmp_path):
    record = sealed_record()
    record["seal"]["contributions"].reverse()
    assert replay(written(tmp_path, record), "--verify")[0] == 3
    assert replay(written(tmp_path, record))[0] == 0


def test_without_a_seal_there_is_nothing_to_verify(tmp_path):
    record = sealed_record()
    del record["seal"]
    status, out, err = replay(written(tmp_path, record), "--verify")
    assert (status, out) == (2, "")
    assert err.startswith("seal: ")


# The command line ----------------------------------------------------------------


def test_the_program_needs_no_database_and_no_settings_and_reads_standard_input(tmp_path):
    record = json.dumps(sealed_record()).encode()
    ended = run(
        "-", "--json", stdin=record,
        DATABASE_URL=f"sqlite:///{tmp_path}/nowhere/db.sqlite3",
        CHANCELLERY_DATA=str(tmp_path / "data"),
    )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert len(ended.stdout.splitlines()) == len(json.loads(record)["actions"]) + 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.nightly
def test_the_program_speaks_the_terminals_language_and_any_script():
    record = sealed_record()
    record["seats"][0] = "Ада \U0001f43a"
    ended = run(
        "-", stdin=json.dumps(record).encode(), LC_ALL="it_IT.UTF-8", PYTHONIOENCODING="latin-1"
    )
    assert ended.returncode == 0
    assert ended.stderr == b""


@pytest.mark.nightly
def test_an_unknown_language_is_status_2():
    ended = run("-", "--language", "tlh")
    assert ended.returncode == 2
    assert b"--language" in ended.stderr


def test_the_first_illegal_action_is_status_1_of_the_program():
    record = sealed_record()
    record["actions"][0]["target"] = record["actions"][0]["seat"]
    ended = run("-", "--json", stdin=json.dumps(record).encode())
    assert ended.returncode == 1
    assert len(ended.stdout.splitlines()) == 1
    assert b"Traceback" not in ended.stderr


@pytest.mark.nightly
def test_a_reader_that_leaves_is_no_error_worth_a_word(tmp_path):
    path = written(tmp_path, sealed_record(players=10))
    read, write = os.pipe()
    os.close(read)
    ended = subprocess.run(
        [sys.executable, "manage.py", "replay", path, "--json"],
        cwd=ROOT,
        stdout=write,
        stderr=subprocess.PIPE,
    )
    os.close(write)
    assert ended.stderr == b""
    assert ended.returncode == replay_command._READER_LEFT
