"""Two web processes are restarted one after the other, without disturbing any game."""

import asyncio
import json
import signal
from collections import Counter
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.hosting.guest import Guest
from tests.hosting.stack import Stack

pytestmark = pytest.mark.nightly

ROOT = Path(__file__).parent.parent.parent
PEOPLE = 5
# Played in turn: several, since one game may be over before the restarts are.
TABLES = 4


class Party:
    """People at the same tables, each with a socket at the first table."""

    def __init__(self, stack: Stack) -> None:
        done = stack.run(
            *("python", "-m", "tests.hosting.hall"),
            cwd=ROOT,
            stdin=json.dumps(["guests", PEOPLE, TABLES]).encode() + b"\n",
        )
        assert done.returncode == 0, done.stderr
        lines = [json.loads(line) for line in done.stdout.splitlines() if line]
        self.tables = [line[0] for line in lines[:TABLES]]
        self.guests = [Guest(stack.url, line[0], stack.certificate) for line in lines[TABLES:]]
        self.failures: list[BaseException] = []
        self.moves = 0

    async def plays(self, guest: Guest) -> None:
        """Move at each table where possible, again and again; record failures and go on."""
        while True:
            for table in self.tables:
                try:
                    self.moves += await guest.move(table)
                except (AssertionError, httpx.HTTPError) as error:
                    self.failures.append(error)
                await asyncio.sleep(0.3)

    def __enter__(self) -> "Party":
        self.tasks = [
            asyncio.create_task(do)
            for guest in self.guests
            for do in (self.plays(guest), guest.watch(self.tables[0]))
        ]
        return self

    def __exit__(self, *_: object) -> None:
        for task in self.tasks:
            task.cancel()


async def everybody_is_caught_up(guests: list[Guest]) -> None:
    await asyncio.wait_for(asyncio.gather(*(guest.is_caught_up.wait() for guest in guests)), 60)


async def test_a_rolling_restart_fails_no_action_and_brings_every_socket_back(
    stack: Stack,
) -> None:
    party = await asyncio.to_thread(Party, stack)
    with party:
        await everybody_is_caught_up(party.guests)
        before = {name: stack[name].process for name in ("web-1", "web-2")}
        while not party.moves:
            await asyncio.sleep(0.1)
        moves = [party.moves]
        for name in before:
            assert await asyncio.to_thread(stack[name].stop) == 0, stack[name].tell()
            await asyncio.to_thread(stack[name].start)
            await asyncio.to_thread(stack[name].wait_until_healthy)
            await everybody_is_caught_up(party.guests)
            moves.append(party.moves)
        for task in party.tasks:
            if task.done():
                task.result()
    for guest in party.guests:
        with suppress(httpx.HTTPError):
            await guest.close()

    assert not party.failures, Counter(map(repr, party.failures))
    assert "request:" not in stack["proxy"].log.read_text()
    # People moved before the restarts, and while each of the two processes restarted.
    assert 0 < moves[0] < moves[1] < moves[2]
    assert all(stack[name].process is not old for name, old in before.items())
    # Each socket was at one of the two processes; it was closed with 1012 and reconnected.
    codes = [code for guest in party.guests for code in guest.close_codes]
    assert codes and set(codes) == {1012}, Counter(codes)
    assert all(guest.opened == len(guest.close_codes) + 1 for guest in party.guests)
    assert all(guest.close_codes for guest in party.guests)


async def test_a_killed_process_fails_no_action_either(stack: Stack) -> None:
    """Its sockets reconnect; a move that was in it is made in the other process, once."""
    party = await asyncio.to_thread(Party, stack)
    web = stack["web-1"]
    with party:
        await everybody_is_caught_up(party.guests)
        while not party.moves:
            await asyncio.sleep(0.1)
        assert await asyncio.to_thread(web.stop, signal.SIGKILL) == -signal.SIGKILL
        moves = party.moves
        await everybody_is_caught_up(party.guests)
        while party.moves < moves + 5:
            await asyncio.sleep(0.1)
        await asyncio.to_thread(web.start)
        await asyncio.to_thread(web.wait_until_healthy)
    assert not party.failures, Counter(map(repr, party.failures))
    codes = {code for guest in party.guests for code in guest.close_codes}
    assert codes == {1006}
    for guest in party.guests:
        await guest.close()
