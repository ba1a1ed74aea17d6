"""Fixtures: the real site, started by `manage.py play`, and real browsers."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.person import Person
from tests.prepared import keep, lay

ROOT = Path(__file__).parent.parent.parent
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
CHROMIUM_ARGS = shlex.split(
    os.environ.get(
        "CHROMIUM_ARGS",
        "--no-sandbox --disable-gpu --disable-quic --no-first-run "
        "--disable-background-networking --disable-component-update --disable-sync",
    )
)
READY = re.compile(r"The site is ready: http://[\w.]+:(\d+)")
# Starting takes a minute where the tests of two cores begin at once.
SECONDS_TO_START = 180

_open_playwrights: list[Any] = []


class Site:
    """A site started by `manage.py play`, with its own port and data folder."""

    def __init__(self, data: Path, port: int = 0, **settings: str) -> None:
        environment = {
            k: v for k, v in os.environ.items() if k not in {"REDIS_URL", "DATABASE_URL"}
        }
        lay(data)
        # The log goes to a file: nothing reads a pipe during a test, and a full one would block.
        self.log = data.parent / f"{data.name}.log"
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "manage.py", "play", "--port", str(port), "--data", str(data)],
                cwd=ROOT,
                # CHANCELLERY_DATA too: with only `--data`, the command starts itself a second time.
                env=environment
                # A short night, in which bots do not move yet.
                | {"LANG": "C", "LC_ALL": "C", "NIGHT_SECONDS": "0.5"}
                | {"CHANCELLERY_DATA": str(data)}
                | settings,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.port = self._wait_for_port()
        keep(data)

    def _wait_for_port(self) -> int:
        until = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < until:
            said = self.log.read_text(errors="replace")
            found = [
                m for line in said.splitlines() if "ready" in line for m in READY.finditer(line)
            ]
            if found:
                return int(found[0][1])
            if self._process.poll() is not None:
                break
            time.sleep(0.1)
        self.stop()
        raise AssertionError(f"the site did not start:\n{self.log.read_text(errors='replace')}")

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        self._process.wait(timeout=15)


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Start a site without limits, whose bots move after 0.1 seconds."""
    site = Site(tmp_path_factory.mktemp("site") / "data", BOT_PAUSE="0.1", LIMITS="off")
    yield site
    site.stop()


# Not for the whole session: while Playwright is open its event loop counts as running in this
# thread, and no other test could run one.
@pytest.fixture(scope="package")
def chromium() -> Iterator[object]:
    if shutil.which(CHROMIUM) is None:
        pytest.skip(f"no browser at {CHROMIUM}; set CHROMIUM")
    from playwright.sync_api import sync_playwright

    # A rerun after a failed setup makes this fixture again without having finished it.
    while _open_playwrights:
        _open_playwrights.pop().stop()
    playwright = sync_playwright().start()
    _open_playwrights.append(playwright)
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
    yield browser
    browser.close()
    playwright.stop()
    _open_playwrights.remove(playwright)


@pytest.fixture
def newcomer(chromium: object, request: pytest.FixtureRequest) -> Iterator[Callable[..., Person]]:
    """Return a function that creates people, each with their own browser context and line."""
    people: list[Person] = []
    # In a second run of a failed test, the name of the first is taken.
    again = getattr(request.node, "execution_count", 1)

    def make(site: Site, name: str, **how: object) -> Person:
        name = name if again == 1 else f"{name[:19]}{again}"
        person = Person(chromium, site.port, name, **how)
        people.append(person)
        return person

    yield make
    for person in people:
        person.leave()
