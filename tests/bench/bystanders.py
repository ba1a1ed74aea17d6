"""Bystanders whom an attack must not disturb: a stranger who reads pages, players, and the clock.

All latencies count from the moment at which a request was due: a request that waits for the answer
to the one before is as late as its reader finds it.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import perf_counter
from typing import Final

from django.db import connection
from django.utils import timezone

from games.models import Game, GameAction
from tests.bench.stage import CSRF_TOKEN, Stage, StagedTable, unlist
from tests.bench.wire import FormLine, Refused, form_line, form_request

# The stranger reads as many pages as the limit allows one address in a minute
# (settings.LIMITS), so it reads from several addresses.
_ADDRESSES: Final = tuple(f"127.0.0.{2 + n}" for n in range(8))
# A page that takes longer counts as lost.
PATIENCE: Final = 30.0
_TICK: Final = 0.01


@dataclass
class Seen:
    """The measurements of one bystander: latencies in seconds, and answers by status."""

    latencies: list[float] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)

    @property
    def refused(self) -> int:
        """Return the number of wrong and missing answers."""
        return sum(self.answers.values()) - self.answers["200"]

    def __iadd__(self, other: "Seen") -> "Seen":
        self.latencies += other.latencies
        self.answers += other.answers
        return self


async def read_pages(
    *, port: int, paths: Sequence[str], rate: float, seconds: float, seen: Seen
) -> None:
    """Read these pages in turn as a stranger, on kept connections, at a steady rate."""
    free: dict[str, list[FormLine]] = {address: [] for address in _ADDRESSES}

    async def read(path: str, address: str, due: float) -> None:
        line: FormLine | None = None
        try:
            line = free[address].pop() if free[address] else None
            if line is None or line.is_gone:
                line = await form_line(port=port, address=address)
            status, _, _ = await asyncio.wait_for(line.ask(_page_request(port, path)), PATIENCE)
            free[address].append(line)
            seen.answers[str(status)] += 1
        except (Refused, OSError, TimeoutError):
            if line is not None:
                line.transport.abort()
            seen.answers["none"] += 1
        seen.latencies.append(perf_counter() - due)

    begun = perf_counter()
    reading = []
    for number in range(int(rate * seconds)):
        due = begun + number / rate
        await asyncio.sleep(max(0.0, due - perf_counter()))
        path, address = paths[number % len(paths)], _ADDRESSES[number % len(_ADDRESSES)]
        reading.append(asyncio.create_task(read(path, address, due)))
    await asyncio.gather(*reading)
    for lines in free.values():
        for line in lines:
            line.transport.close()


async def play_on(
    *, port: int, table: StagedTable, rate: float, seconds: float, seen: Seen
) -> None:
    """Make the moves of a table's players, at a steady rate: what players write."""
    lines: dict[int, FormLine] = {}
    begun = perf_counter()
    for number, move in enumerate(table.moves[: int(rate * seconds)]):
        due = begun + number / rate
        await asyncio.sleep(max(0.0, due - perf_counter()))
        if perf_counter() - begun > seconds + PATIENCE:
            return
        person = table.seated[move.seat]
        request = form_request(
            port=port,
            path=f"/tables/{table.code}/act/",
            cookie=person.cookie,
            csrf=CSRF_TOKEN,
            panels="",
            fields={"decision": move.decision, "key": move.key, "choice": move.choice},
        )
        line = lines.get(person.pk)
        try:
            if line is None or line.is_gone:
                line = lines[person.pk] = await form_line(port=port, address=person.address)
            status, _, _ = await asyncio.wait_for(line.ask(request), PATIENCE)
        except (Refused, OSError, TimeoutError):
            # The move may or may not have been made, so the next move is not known either.
            seen.answers["none"] += 1
            seen.latencies.append(perf_counter() - due)
            return
        seen.answers[str(status)] += 1
        seen.latencies.append(perf_counter() - due)
        if status != 200:
            return
    for line in lines.values():
        line.transport.close()


class Alarms:
    """Games whose clocks ring at known moments. No one watches, so only the clock moves them."""

    def __init__(self, stage: Stage, count: int) -> None:
        self._tables = stage.set(count, moves=1, players=5, forward=0.0)
        self._moments: dict[int, datetime] = {}
        self._codes = [table.code for table in self._tables]
        unlist(self._tables)

    def set(self, *, first: float, last: float) -> None:
        """Let the clocks ring one after another, between these numbers of seconds from now."""
        now = timezone.now()
        games = list(Game.objects.filter(table__code__in=self._codes).order_by("pk"))
        for number, game in enumerate(games):
            after = first + (last - first) * number / len(games)
            moment = now + timedelta(seconds=after)
            self._moments[game.pk] = game.deadline = game.wakes_at = moment
            game.bot_moves_at = game.retry_at = None
        Game.objects.bulk_update(games, ["deadline", "wakes_at", "bot_moves_at", "retry_at"])
        connection.close()

    def late(self, patience: float) -> Seen:
        """Return how late each rang; after `patience` seconds, a silent one is as late as now."""
        until = perf_counter() + patience
        while len(rung := self._rung()) < len(self._moments) and perf_counter() < until:
            time.sleep(0.2)
        now, seen = timezone.now(), Seen()
        for game, moment in self._moments.items():
            at = rung.get(game)
            seen.answers["silent" if at is None else "rung"] += 1
            seen.latencies.append(max(0.0, ((at or now) - moment).total_seconds()))
        return seen

    def _rung(self) -> dict[int, datetime]:
        rows = GameAction.objects.filter(game__in=self._moments, by=GameAction.By.CLOCK)
        rung = dict(rows.order_by("-number").values_list("game", "at"))
        connection.close()
        return rung


async def tick(seen: Seen) -> None:
    """Record how late this process itself wakes: the client's own share of the figures."""
    with suppress(asyncio.CancelledError):
        while True:
            due = perf_counter() + _TICK
            await asyncio.sleep(_TICK)
            seen.latencies.append(perf_counter() - due)


def _page_request(port: int, path: str) -> bytes:
    return (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept-Language: en\r\n"
        "Accept: text/html\r\n\r\n"
    ).encode()
