"""Whichever process dies, no acknowledged action is lost or done twice, and every game ends."""

import asyncio
import os
import random
import time
from collections import Counter
from contextlib import AsyncExitStack

import pytest

from tests.faults.people import Journal, Person, gather
from tests.faults.site import BOTH, Database, Site
from tests.nightly import times

KILLS = times("FAULTS_KILLS", 3, 13)
GAMES = times("FAULTS_GAMES", 1, 3)
TABLES_AT_ONCE = times("FAULTS_TABLES_AT_ONCE", 1, 3)
SECONDS_BETWEEN = float(os.environ.get("FAULTS_SECONDS_BETWEEN", "0.7"))
SEED = os.environ.get("FAULTS_SEED") or str(random.randrange(10**9))
PEOPLE = 2
# Seconds after a database's death until it has recovered and every process has noticed.
DISTURBED = 10.0
LONGEST_GAME = 600.0


@pytest.mark.parametrize("database", BOTH)
def test_no_acknowledged_action_is_lost_or_doubled_whatever_is_killed(database: Database) -> None:
    print(f"FAULTS_SEED={SEED} {database}: {KILLS} kills, {GAMES} games")
    with Site(database, BOT_PAUSE="0.1", PACE_SCALE="0.15") as site:
        journal = Journal()
        killed = asyncio.run(play_among_kills(site, journal))
        told = site.ask("audit", journal=journal.as_json())
        print(f"killed {dict(Counter(name for _, name in killed))}; answers lost and asked again:")
        print(f"{journal.lost_answers}; {len(journal.entries)} asked, {journal.acknowledged()}")
        print(f"acknowledged; {told['games']} games of {told['actions']} actions {told['by']}")
        assert told["problems"] == []
        assert told["games"] == GAMES
        assert len(killed) == KILLS
        assert journal.acknowledged() > 10 * GAMES
        assert not unexplained(journal, killed)
        assert site.errors() == []


async def play_among_kills(site: Site, journal: Journal) -> list[tuple[float, str]]:
    """Play the games while processes are killed. Return the processes killed, and when."""
    async with AsyncExitStack() as until_the_end:
        groups = []
        for number in range(min(TABLES_AT_ONCE, GAMES)):
            people = [
                await until_the_end.enter_async_context(
                    Person(site.url, f"player {number} {letter}", journal, SEED)
                )
                for letter in "abcd"[:PEOPLE]
            ]
            await asyncio.gather(*(person.sign_up() for person in people))
            groups.append(people)
        left = iter(range(GAMES))
        playing = asyncio.gather(*(play_games(people, left) for people in groups))
        killed = await kill_at_random(site)
        await asyncio.wait_for(playing, LONGEST_GAME * -(-GAMES // len(groups)))
    return killed


async def play_games(people: list[Person], left: object) -> None:
    """Play one game after another, as long as any are left to play."""
    for _ in left:  # type: ignore[attr-defined]
        path = await gather(people)
        await asyncio.gather(*(person.play(path, pause=0.4) for person in people))


async def kill_at_random(site: Site) -> list[tuple[float, str]]:
    rng = random.Random(SEED)
    killed: list[tuple[float, str]] = []
    while len(killed) < KILLS:
        await asyncio.sleep(SECONDS_BETWEEN * 2 * rng.random())
        name = rng.choice(site.victims)
        # A process that is being started again cannot be killed; the loop picks another.
        if await asyncio.to_thread(site.kill, name):
            killed.append((time.monotonic(), name))
    return killed


def unexplained(journal: Journal, killed: list[tuple[float, str]]) -> list[tuple[int, str]]:
    """Return the errors that users saw while their database was up."""
    deaths = [at for at, name in killed if name in ("postgres", "backend")]
    return [
        (status, path)
        for at, status, path in journal.unexpected
        if not any(death <= at <= death + DISTURBED for death in deaths)
    ]
