"""From "Begin" to the cards: a full table whose browsers all reveal their part of the seal."""

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from time import perf_counter

import httpx

from games.models import Seat, Table, new_seed
from tests.bench.stage import CSRF_TOKEN, EDITION, Person
from tests.live_client import LiveClient

PLAYERS = 10
PATIENCE = 30


@dataclass
class _Table:
    """A table that gathers, and what each player's browser has drawn for it."""

    code: str
    people: Sequence[Person]
    commitment: str
    drawn: dict[int, str] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return f"/tables/{self.code}/"


class _Browser(LiveClient):
    """A browser that reveals as games/static/games/seal.js does, and notes when it has cards."""

    contribution = ""
    commitment = ""

    def watch(self) -> None:
        self.has_revealed = False
        self.has_cards = asyncio.get_running_loop().create_future()

    def _changed(self) -> None:
        super()._changed()
        assert self.page is not None
        if self.page.tree.xpath("//*[@id='panel-you']//*[contains(@class, 'secret')]"):
            if not self.has_cards.done():
                self.has_cards.set_result(perf_counter())
        elif not self.has_revealed and self.page.tree.xpath("//*[@data-step='reveal']"):
            self.has_revealed = True
            self._asking.add(asyncio.ensure_future(self._reveal()))

    async def _reveal(self) -> None:
        data = {"commitment": self.commitment, "contribution": self.contribution}
        headers = {**self.headers, "X-CSRFToken": CSRF_TOKEN}
        answer = await self.http.post(f"{self.url}{self.path}seal/", data=data, headers=headers)
        if answer.status_code != 204:
            self.seen.errors.append(f"{answer.status_code} for a reveal")


def stage_tables(crowd: Sequence[Person], count: int) -> list[_Table]:
    """Return full tables that have not begun, each with the hashes of ten browsers."""
    return [_stage(crowd[:PLAYERS]) for _ in range(count)]


def _stage(people: Sequence[Person]) -> _Table:
    table = Table.objects.create(
        host_id=people[0].pk, edition=EDITION, seats_wanted=PLAYERS, seed=new_seed()
    )
    staged = _Table(table.code, people, table.commitment)
    seats = []
    for number, person in enumerate(people):
        contribution = secrets.token_bytes(32)
        staged.drawn[number] = contribution.hex()
        seats.append(
            Seat(
                table=table,
                number=number,
                user_id=person.pk,
                name=person.name,
                contribution_hash=sha256(contribution).hexdigest(),
                contribution="",
            )
        )
    Seat.objects.bulk_create(seats)
    return staged


async def deal_all(tables: Sequence[_Table], port: int) -> list[float]:
    """Begin one table after another; return for each seat the seconds until its cards."""
    seconds: list[float] = []
    async with httpx.AsyncClient(timeout=PATIENCE) as http:
        for table in tables:
            seconds += await _deal(http, f"http://127.0.0.1:{port}", table)
    return seconds


async def _deal(http: httpx.AsyncClient, url: str, table: _Table) -> list[float]:
    browsers = []
    for number, person in enumerate(table.people):
        browser = _Browser(http, url, table.path, {"Cookie": person.cookie}, seed=number)
        browser.contribution, browser.commitment = table.drawn[number], table.commitment
        browser.watch()
        browsers.append(browser)
    running = [asyncio.ensure_future(browser.run()) for browser in browsers]
    try:
        while not all(browser.socket is not None for browser in browsers):
            await asyncio.sleep(0.02)
        begun = perf_counter()
        status = await browsers[0].post(f"{table.path}start/", {})
        if status != 200:
            raise RuntimeError(f"status {status} for the begin")
        arrived = await asyncio.wait_for(
            asyncio.gather(*(browser.has_cards for browser in browsers)), PATIENCE
        )
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
    errors = [error for browser in browsers for error in browser.seen.errors]
    if errors:
        raise RuntimeError(f"the deal went wrong: {errors[0]}")
    return [moment - begun for moment in arrived]
