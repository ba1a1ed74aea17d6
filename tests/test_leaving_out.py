"""A run reports clearly what it skips or repeats, and fails if it takes too long."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TESTS = """
import pytest
from tests import conftest

seen = []

def test_fine(): ...

def test_not(): pytest.skip('no such tool')

def test_moody():
    seen.append(1)
    assert len(seen) == 2

@pytest.mark.nightly
def test_long(): ...
"""
TOO_LONG = "conftest.LONGEST_RUN = 0\n"


def run(test: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider"]
    clean = {name: value for name, value in os.environ.items() if name != "CI"}
    return subprocess.run(
        [*command, "-c", str(ROOT / "pyproject.toml"), str(test)],
        cwd=ROOT,
        env=clean | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def test_file(tmp_path: Path) -> Path:
    path = tmp_path / "test_one.py"
    path.write_text(TESTS, encoding="utf-8")
    return path


def test_at_home_a_run_passes_and_tells_what_it_skipped_and_repeated(test_file: Path) -> None:
    result = run(test_file, NIGHTLY="")
    assert result.returncode == 0
    assert "NOT TESTED HERE" in result.stdout
    assert "1 left out: Skipped: no such tool" in result.stdout
    assert "2 passed, 1 skipped, 1 deselected, 1 rerun" in result.stdout
    assert re.search(r"^RERUN .*test_moody", result.stdout, re.MULTILINE)


def test_in_ci_a_skip_fails_the_run_and_so_does_a_long_time(test_file: Path) -> None:
    test_file.write_text(TESTS + TOO_LONG, encoding="utf-8")
    result = run(test_file, NIGHTLY="", CI="true")
    assert result.returncode == 1
    assert "CI leaves nothing out: this run has FAILED" in result.stdout
    assert "The run took more than 0 minutes." in result.stdout


@pytest.mark.nightly
def test_a_skip_and_a_long_time_each_fail_a_run_alone(test_file: Path) -> None:
    test_file.write_text(TESTS.replace("pytest.skip", "str") + TOO_LONG, encoding="utf-8")
    usual, nightly = (run(test_file, NIGHTLY=value) for value in ("", "1"))
    assert usual.returncode == 1
    assert "The run took more than 0 minutes." in usual.stdout
    assert "4 passed" in nightly.stdout
    assert nightly.returncode == 0
    test_file.write_text(TESTS, encoding="utf-8")
    assert run(test_file, CI="true").returncode == 1
