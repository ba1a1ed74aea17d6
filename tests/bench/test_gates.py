"""What real processes were asked to do, counted and never timed: Daphne twice, and Valkey."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

# Statements for a new version, in a process that only hears of it. (That it is there itself,
# it notes every other second, whatever happens at tables.)
ELSEWHERE = 1

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the rig reads Linux's /proc")


@pytest.fixture(scope="module")
def figures(tmp_path_factory) -> dict[str, dict]:
    """What real processes were counted at: Daphne twice, and Valkey between them."""
    path: Path = tmp_path_factory.mktemp("bench") / "figures.jsonl"
    command = [sys.executable, "-m", "tests.bench.live", "elsewhere", "--quick", "--json", path]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {line["figure"]: line for line in lines}


def test_between_real_processes_no_action_fails_and_none_is_lost(figures):
    assert figures["failed or lost actions"]["value"] == 0


def test_another_process_reads_a_new_version_once(figures):
    assert figures["SQL statements in the other process"]["value"] <= ELSEWHERE
