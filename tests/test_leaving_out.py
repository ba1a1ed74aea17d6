"""A run reports clearly what it skips or repeats, and fails if it takes too long."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SKIPS = "import pytest\n\ndef test_fine(): ...\n\ndef test_not(): pytest.skip('no such tool')\n"


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
    path.write_text(SKIPS, encoding="utf-8")
    return path


def test_at_home_a_skip_is_told_at_the_end(test_file: Path) -> None:
    result = run(test_file)
    assert result.returncode == 0
    assert "NOT TESTED HERE" in result.stdout
    assert "1 left out: Skipped: no such tool" in result.stdout


def test_in_ci_a_skip_fails_the_run(test_file: Path) -> None:
    result = run(test_file, CI="true")
    assert result.returncode == 1
    assert "CI leaves nothing out: this run has FAILED" in result.stdout


def test_in_ci_a_run_that_leaves_nothing_out_passes(test_file: Path) -> None:
    test_file.write_text("def test_fine(): ...\n", encoding="utf-8")
    result = run(test_file, CI="true")
    assert result.returncode == 0
    assert "left out" not in result.stdout


def test_a_test_that_fails_once_passes_and_is_named(test_file: Path) -> None:
    text = "seen = []\n\ndef test_moody():\n    seen.append(1)\n    assert len(seen) == 2\n"
    test_file.write_text(text, encoding="utf-8")
    result = run(test_file)
    assert result.returncode == 0
    assert "1 passed, 1 rerun" in result.stdout
    assert re.search(r"^RERUN .*test_moody", result.stdout, re.MULTILINE)


def test_what_is_nightly_runs_and_may_take_long_only_when_asked_for(test_file: Path) -> None:
    test_file.write_text(
        "import pytest\nfrom tests import conftest\nconftest.LONGEST_RUN = 0\n\n"
        "@pytest.mark.nightly\ndef test_long(): ...\n\ndef test_fine(): ...\n",
        encoding="utf-8",
    )
    usual, nightly = run(test_file, NIGHTLY=""), run(test_file, NIGHTLY="1")
    assert "1 passed, 1 deselected" in usual.stdout
    assert usual.returncode == 1
    assert "The run took more than 0 minutes." in usual.stdout
    assert "2 passed" in nightly.stdout
    assert nightly.returncode == 0
