"""What the repository promises to users who have only Python and make."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
# The packages that run the site, and those that run and test it.
LOCKS = ("requirements.lock", "tests/requirements.lock")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
STATIC = ROOT / "games" / "static"

# Paths of one machine, and hosts of package registries: neither works elsewhere. The names are
# split, so that this file does not match.
MACHINES_AND_REGISTRIES = re.compile(
    r"|".join(
        [
            r"(?<![\w.])/(?:home|Users)/[a-z]\w*/",
            r"(?<![\w.])/(?:root|work|opt)/\w",
            "files.python" + r"hosted\.org",
            "py" + r"pi\.org",
            "registry.npm" + r"js\.(?:org|com)",
            "deb.deb" + r"ian\.org",
            r"https?://(?:localhost|\d+\.\d+\.\d+\.\d+)[:\d]*/(?:simple|artifactory|nexus)",
        ]
    )
)


def repository_files() -> list[Path]:
    """Return the files in Git and new files that are not ignored.

    Without Git, return all files except those of virtual environments and data folders.
    """
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
    except (FileNotFoundError, subprocess.CalledProcessError):
        own = {".venv", "data", ".git", "__pycache__"}
        return [
            path
            for path in ROOT.rglob("*")
            if path.is_file() and own.isdisjoint(path.relative_to(ROOT).parts)
        ]
    paths = [ROOT / os.fsdecode(name) for name in listed.stdout.split(b"\0") if name]
    return [path for path in paths if path.is_file()]


def text_of(lock: str) -> str:
    return (ROOT / lock).read_text(encoding="utf-8")


def locked(lock: str) -> dict[str, str]:
    """Return each package's version by its normalized name."""
    entries = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", text_of(lock), flags=re.MULTILINE)
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in entries}


# The lock files --------------------------------------------------------------------------------


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_package_has_its_hashes(lock: str) -> None:
    for block in re.split(r"\n(?=\S)", text_of(lock).strip()):
        if not block.startswith("#"):
            assert re.search(r"--hash=sha256:[0-9a-f]{64}", block), block.splitlines()[0]


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_place_to_download_from(lock: str) -> None:
    text = text_of(lock)
    assert "://" not in text
    for option in ("index-url", "find-links", "trusted-host", " @ ", "file:"):
        assert option not in text


def test_the_tests_run_on_the_very_packages_of_the_site() -> None:
    site, tests = (locked(lock) for lock in LOCKS)
    assert site.items() <= tests.items()


def test_the_locks_satisfy_the_project() -> None:
    wanted = (PROJECT["dependencies"], PROJECT["optional-dependencies"]["dev"])
    missing = []
    for lock, requirements in zip(LOCKS, wanted, strict=True):
        versions = locked(lock)
        for requirement in map(Requirement, requirements):
            version = versions.get(re.sub(r"[-_.]+", "-", requirement.name).lower())
            if version is None or not requirement.specifier.contains(version, prereleases=True):
                missing.append((lock, str(requirement), version))
    assert missing == []


# The repository files --------------------------------------------------------------------------


def test_no_file_holds_a_machines_path_or_a_registrys_host() -> None:
    held = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in repository_files()
        if (found := MACHINES_AND_REGISTRIES.search(path.read_text("utf-8", errors="replace")))
    ]
    assert held == []


def test_nothing_that_the_commands_make_is_in_the_repository() -> None:
    made = re.compile(r"(^|/)(\.venv|__pycache__|data)/|\.(mo|pyc|sqlite3)$")
    names = [path.relative_to(ROOT).as_posix() for path in repository_files()]
    assert [name for name in names if made.search(name)] == []


def test_what_ci_runs_can_be_run() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    assert os.access(ROOT / "manage.py", os.X_OK)


# The front end ---------------------------------------------------------------------------------


def vendored() -> list[Path]:
    folder = STATIC / "games" / "vendor"
    notes = {".md", ".LICENSE"}
    return sorted(path for path in folder.iterdir() if path.suffix not in notes)


@pytest.mark.parametrize("path", vendored(), ids=lambda path: path.name)
def test_a_vendored_file_says_its_version_and_its_licence(path: Path) -> None:
    notes = (path.parent / "VENDORED.md").read_text(encoding="utf-8")
    line = next(line for line in notes.splitlines() if f"`{path.name}`" in line)
    assert re.search(r"\|\s*\d+\.\d+", line), "no version"
    licence = re.search(r"`([\w.-]+\.LICENSE)`", line)
    assert licence is not None, "no licence"
    assert (path.parent / licence[1]).stat().st_size > 100


def test_no_page_or_style_loads_anything_from_elsewhere() -> None:
    loads = re.compile(r"""(?:src|href)=["'](?:https?:)?//|url\(["']?(?:https?:)?//|@import""")
    pages = [*(ROOT / "templates").rglob("*.html"), *STATIC.rglob("*.css")]
    elsewhere = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in pages
        for found in loads.finditer(path.read_text(encoding="utf-8"))
        if "<a " not in found.string[max(0, found.start() - 200) : found.start()].split(">")[-1]
    ]
    assert elsewhere == []
