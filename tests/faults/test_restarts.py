"""`manage.py play` while its processes are killed: the game goes on, and nothing is lost."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import AsyncExitStack, closing
from pathlib import Path

import httpx
import pytest

from tests.commands.played_site import ROOT, VICTIMS, Play, linux, wait_for, without_settings
from tests.faults.people import Journal, Person, gather
from tests.live_client import LiveClient, Page, differences

# Moves that people and bots make after each kill.
MOVES_BETWEEN = 6


@linux
@pytest.mark.nightly
def test_the_game_goes_on_when_each_process_is_killed_in_turn(tmp_path: Path) -> None:
    site = Play(tmp_path / "data", tmp_path, "--port", "0", BOT_PAUSE="0.1")
    try:
        url = site.url().rstrip("/")
        journal = Journal()
        watcher, unlike = asyncio.run(play_among_kills(site, url, journal))
        told = ask_audit(site, journal)
        assert site.process.poll() is None
        site.process.terminate()
        assert site.ends() == 0
    finally:
        site.stop()

    assert told["problems"] == []
    assert journal.acknowledged() > MOVES_BETWEEN
    assert journal.unexpected == []
    # Daphne's end closes the socket; no other kill does.
    assert watcher.seen.opened <= 2
    assert watcher.seen.errors == []
    assert unlike == []


async def play_among_kills(site: Play, url: str, journal: Journal) -> tuple[LiveClient, list[str]]:
    """Kill each process once while two people and three bots play and a client watches.

    Return the client, and how its page differs from a fresh one.
    """
    is_over = False
    async with AsyncExitStack() as until_the_end:
        people = [
            await until_the_end.enter_async_context(Person(url, name, journal))
            for name in ("Ada", "Boris")
        ]
        for person in people:
            await person.sign_up()
        http = await until_the_end.enter_async_context(httpx.AsyncClient(trust_env=False))
        paths: list[str] = []

        async def play_games() -> None:
            while not is_over:
                paths.append(await gather(people, pace="daily"))
                await asyncio.gather(
                    *(
                        person.play(paths[-1], pause=0.2, is_enough=lambda: is_over)
                        for person in people
                    )
                )

        playing = asyncio.create_task(play_games())
        await asyncio.to_thread(wait_for, lambda: paths or playing.done(), 60)
        watcher = LiveClient(http, url, paths[0], {"Accept-Language": "en"})
        watching = asyncio.create_task(watcher.run())
        try:
            for word in VICTIMS.values():
                await asyncio.to_thread(kill, site, word)
        finally:
            is_over = True
            await playing
        await asyncio.to_thread(wait_for, lambda: watcher.socket is not None, 30)
        await watcher.compare()
        await asyncio.sleep(1)
        assert watcher.page is not None
        unlike = differences(watcher.page, Page(await watcher.fetch()))
        watching.cancel()
    return watcher, unlike


def kill(site: Play, word: str) -> None:
    """Kill a process; wait until another runs, the clock ticks and the game has gone on."""
    killed = site.member(word)
    os.kill(killed, signal.SIGKILL)
    wait_for(lambda: site.other_than(killed, word), 30)
    assert site.other_than(killed, word), site.said()
    # One tick may have been on its way without the killed process, but not three.
    seen: set[str] = set()
    wait_for(lambda: seen.add(pulse(site)) or len(seen) > 3, 60)  # type: ignore[func-returns-value]
    assert len(seen) > 3, site.said()
    before = moves(site)
    wait_for(lambda: moves(site) >= before + MOVES_BETWEEN, 60)
    assert moves(site) >= before + MOVES_BETWEEN, site.said()


def moves(site: Play) -> int:
    return int(ask(site, "SELECT count(*) FROM games_gameaction"))


def pulse(site: Play) -> str:
    """Return when the clock's worker was last known to run."""
    return ask(site, "SELECT at FROM games_pulse WHERE id = 1")


def ask(site: Play, question: str) -> str:
    with closing(sqlite3.connect(site.data / "db.sqlite3")) as line:
        return str(line.execute(question).fetchone()[0])


def ask_audit(site: Play, journal: Journal) -> dict[str, object]:
    question = ["audit", {"journal": journal.as_json(), "may_go_on": True}]
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.beside"],
        cwd=ROOT,
        env=without_settings()
        | {"CHANCELLERY_DATA": str(site.data), "DJANGO_SETTINGS_MODULE": "config.settings"},
        input=json.dumps(question),
        capture_output=True,
        text=True,
        check=True,
    )
    answer = json.loads(done.stdout)
    assert isinstance(answer, dict)
    return answer
