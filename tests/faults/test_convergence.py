"""All clients end with what a fresh page shows, whatever happens to hints and connections."""

import asyncio
import os
import random
import resource
import ssl
import time
from collections.abc import Callable
from contextlib import AsyncExitStack

import httpx
import pytest

from tests.faults.hints import HintsLine
from tests.faults.line import CuttingLine
from tests.faults.people import Form, Journal, Person, forms_of, gather
from tests.faults.site import EITHER, Database, Site
from tests.live_client import LiveClient, Page, differences
from tests.nightly import times

CLIENTS = times("FAULTS_CLIENTS", 12, 40)
TABLES = times("FAULTS_TABLES", 1, 2)
SECONDS = times("FAULTS_SECONDS", 3, 5)
SEED = os.environ.get("FAULTS_SEED") or str(random.randrange(10**9))
# Promised limits in seconds: after a socket has opened again, and without any push.
AFTER_RECONNECTING = 5.0
WITHOUT_PUSH = 15.0
LANGUAGES = ("en", "ru", "pl", "ja", "it")
SEATS = 5
# How many seconds a crowd may take to connect, and to reconnect.
PATIENCE = 60 + CLIENTS / 3


class Crowd:
    """All clients at the tables: players and spectators."""

    def __init__(self, http: httpx.AsyncClient, line: CuttingLine) -> None:
        self.http, self.line = http, line
        self.rng = random.Random(SEED)
        self.players: list[list[LiveClient]] = []
        self.clients: list[LiveClient] = []
        self.moves = 0

    async def seat(self, site: Site) -> None:
        journal = Journal()
        for table in range(TABLES):
            people = [Person(site.url, f"chair {table} {seat}", journal) for seat in range(SEATS)]
            await asyncio.gather(*(person.sign_up() for person in people))
            path = await gather(people, pace="daily")
            players = [self._client(path, cookie=_cookies(person)) for person in people]
            self.players.append(players)
            self.clients += players
            for person in people:
                await person.client.aclose()
        while len(self.clients) < CLIENTS:
            path = self.players[len(self.clients) % TABLES][0].path
            self.clients.append(self._client(path))

    def _client(self, path: str, cookie: str = "") -> LiveClient:
        number = len(self.clients)
        headers = {"Accept-Language": LANGUAGES[number % len(LANGUAGES)]}
        if cookie:
            headers["Cookie"] = cookie
        return LiveClient(self.http, self.line.url, path, headers, f"{SEED} {number}")

    async def play(self, seconds: float, *, at_least: int = 0, looks: bool = False) -> float:
        """Make moves again and again, chosen from what a player's page offers.

        Return the time of the last move. `looks`: the players have no socket, so they fetch the
        page again when it offers nothing.
        """
        until = time.monotonic() + seconds
        last = time.monotonic()
        moved = 0
        while time.monotonic() < until or moved < at_least:
            assert time.monotonic() < until + PATIENCE, "nobody could move"
            players = self.rng.choice(self.players)
            if looks:
                await asyncio.gather(*(player.compare() for player in players))
            offers = [(player, form) for player in players for form in _moves(player)]
            if not offers:
                # All the pages seen are out of date; wait for newer ones.
                await asyncio.sleep(0.2)
                continue
            player, form = self.rng.choice(offers)
            choices = [value for _, name, value in form.buttons if name == "choice"]
            choice = self.rng.choice(choices)
            if await player.post(form.action, form.fields | {"choice": choice}) == 200:
                moved += 1
                self.moves += 1
                last = time.monotonic()
            await asyncio.sleep(0.1)
        return last

    async def follow(self, until: Callable[[LiveClient], float]) -> list[str]:
        """Wait until every client shows what a fresh page shows, or the time of one is over.

        Return the differences. No moves happen meanwhile, but players may come or go at any
        moment: a client that differs is compared with a fresher page, and a client that differs
        only in its seats gets the extra time of a page without push.
        """
        fresh: dict[tuple[str, ...], Page] = {}
        behind = {client: {""} for client in self.clients}
        while True:
            kinds = {_who(client): client for client in behind}
            pages = await asyncio.gather(*(client.fetch() for client in kinds.values()))
            fresh |= {who: Page(page) for who, page in zip(kinds, pages, strict=True)}
            behind = {
                client: lacking
                for client in self.clients
                if (lacking := _lacking(client, fresh[_who(client)]))
            }
            if not behind or any(
                time.monotonic() > until(client) + (WITHOUT_PUSH if lacking == {"seats"} else 0.0)
                for client, lacking in behind.items()
            ):
                return self._differences(fresh)
            await asyncio.sleep(0.1)

    def _differences(self, fresh: dict[tuple[str, ...], Page]) -> list[str]:
        return [
            f"client {number}: {difference}"
            for number, client in enumerate(self.clients)
            for difference in differences(client.page, fresh[_who(client)]) + client.page.missing
        ]


def _who(client: LiveClient) -> tuple[str, ...]:
    return (client.path, *sorted(client.headers.values()))


def _lacking(client: LiveClient, fresh: Page) -> set[str]:
    """Return the panels in which this client differs from a fresh page."""
    shown, wanted = client.page.digests() if client.page else {}, fresh.digests()
    return {name for name in shown.keys() | wanted if shown.get(name) != wanted.get(name)}


def _cookies(person: Person) -> str:
    return "; ".join(f"{name}={value}" for name, value in person.client.cookies.items())


def _moves(player: LiveClient) -> list[Form]:
    """Return the forms of a page whose move has not been made."""
    if player.page is None or player.page.tree.xpath("//button[@aria-pressed='true']"):
        return []
    return [
        form
        for form in forms_of(player.page.tree)
        if any(name == "choice" for _, name, _ in form.buttons)
    ]


@pytest.mark.parametrize("database", EITHER)
def test_everyone_ends_with_what_a_fresh_page_shows(database: Database) -> None:
    print(f"FAULTS_SEED={SEED} {database}: {CLIENTS} clients at {TABLES} tables")
    _allow_many_files()
    asyncio.run(_story(database))


async def _story(database: Database) -> None:
    async with AsyncExitStack() as stack:
        hints = await stack.enter_async_context(HintsLine(SEED))
        site = Site(database, hints_through=hints.path)
        hints.target = str(site.valkey_socket)
        await asyncio.to_thread(site.__enter__)
        stack.callback(site.__exit__)
        line = await stack.enter_async_context(CuttingLine(site.port, SEED))
        http = await stack.enter_async_context(
            httpx.AsyncClient(
                verify=ssl.create_default_context(),
                timeout=30,
                trust_env=False,
                limits=httpx.Limits(max_connections=50, max_keepalive_connections=50),
            )
        )
        crowd = Crowd(http, line)
        await crowd.seat(site)
        running = [asyncio.create_task(client.run()) for client in crowd.clients]
        stack.callback(lambda: [task.cancel() for task in running])
        await _until(lambda: all(client.seen.opened for client in crowd.clients), PATIENCE)

        # Hints are lost, late and out of order; connections are cut or fall silent.
        hints.loss, hints.delay, line.seconds_between = 0.3, 2.0, 10.0
        await crowd.play(SECONDS, at_least=8)
        line.seconds_between = 0.0
        line.end_silences()
        print(f"{crowd.moves} moves; {hints.lost} hints lost, {hints.passed} late; ", end="")
        print(f"{line.cuts} connections cut, {line.silences} fell silent")
        assert hints.lost and hints.passed and line.cuts

        # No push at all: the sockets are open, and every hint is lost.
        await asyncio.sleep(0.5)
        await _until(lambda: all(client.socket for client in crowd.clients), PATIENCE)
        hints.loss = 1.0
        last = await crowd.play(1, at_least=3)
        assert await crowd.follow(lambda client: last + WITHOUT_PUSH) == []
        late = [client.seen.changed_at - last for client in crowd.clients]
        print(f"without push: the last followed after {max(late):.1f} s")
        assert max(late) <= WITHOUT_PUSH

        # All clients are cut off, the table goes on, and all reconnect; still without any hint.
        line.is_down = True
        line.cut_all()
        straight = Crowd(http, line)
        straight.players = [
            [_at(site.url, player) for player in players] for players in crowd.players
        ]
        await asyncio.gather(*(p.load() for players in straight.players for p in players))
        await straight.play(1, at_least=3, looks=True)
        line.is_down = False
        back_after = time.monotonic()
        await _until(
            lambda: all(client.seen.opened_at > back_after for client in crowd.clients), PATIENCE
        )
        # The seats' presence changes until the last client is back.
        all_back = max(client.seen.opened_at for client in crowd.clients)
        assert await crowd.follow(lambda client: all_back + AFTER_RECONNECTING) == []
        late = [client.seen.changed_at - client.seen.opened_at for client in crowd.clients]
        print(f"after reconnecting: the last followed after {max(late):.1f} s")
        assert max(late) <= AFTER_RECONNECTING
        errors = [error for client in crowd.clients for error in client.seen.errors]
        assert errors == []
        # No client's task may have ended on its own.
        for task in running:
            assert not task.done(), task


def _at(url: str, player: LiveClient) -> LiveClient:
    """Return the same player with another, unbroken connection to the site."""
    return LiveClient(player.http, url, player.path, player.headers)


async def _until(what: object, seconds: float) -> None:
    until = time.monotonic() + seconds
    while not what():  # type: ignore[operator]
        assert time.monotonic() < until, "not everybody came (back)"
        await asyncio.sleep(0.1)


def _allow_many_files() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
