"""Counts, no times, of real processes: SQL statements, lost frames and repairs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

# SQL statements for a new version in a process that only receives the hint. (Every other second
# it also records its own presence, whatever happens at tables.)
ELSEWHERE = 1

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(sys.platform != "linux", reason="the rig reads Linux's /proc"),
]


@pytest.fixture(scope="module")
def figures(tmp_path_factory) -> dict[str, dict]:
    """Return the figures counted in real processes: two Daphnes with a Valkey between them."""
    path: Path = tmp_path_factory.mktemp("bench") / "figures.jsonl"
    options = ["elsewhere", "latency", "--quick", "--pairs", "1", "--think", "0.02"]
    command = [sys.executable, "-m", "tests.bench.live", *options, "--json", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {line["figure"]: line for line in lines}


def test_between_real_processes_no_action_fails_and_none_is_lost(figures):
    assert figures["failed or lost actions"]["value"] == 0


def test_another_process_reads_a_new_version_once(figures):
    assert figures["SQL statements in the other process"]["value"] <= ELSEWHERE


def test_ballots_at_once_reach_all_viewers_and_cost_no_repair(figures):
    assert figures["panels asked for again after a crossing"]["value"] == 0
    assert figures["10 viewers, p50 over the echo's"]["value"] > 0
