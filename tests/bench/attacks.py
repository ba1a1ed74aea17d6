"""The attacks of `tests.bench.abuse`, each in its own process, within the site's limits.

Each attack runs for a number of seconds. Its clients send the next request as soon as the last
is answered; after a refusal (429, 503, no answer) they pause for `after_refusal` seconds.

A process reads its orders as JSON and writes what it did as JSON. It does not use Django, so that
it starts at once.
"""

import asyncio
import itertools
import json
import secrets
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Final
from urllib.parse import urlencode

from games.rules.editions import SWITCHES
from tests.bench.rig import ROOT
from tests.bench.wire import FormLine, Refused, form_line, open_socket

CSRF_TOKEN: Final = "b" * 32
# The number that the audit used.
_SOCKETS: Final = 118
_SIGN_UPS_AT_ONCE: Final = 14
_NAMES_AT_ONCE: Final = 9
# The default number of threads of a web process.
_PAGES_AT_ONCE: Final = 8
# Below the 64 KB that the server reads of a form.
_LONGEST_NAME: Final = 60_000
# How long a socket waits for a frame before it asks again.
_IMPATIENCE: Final = 0.05
_PATIENCE: Final = 40.0
# Statuses of refusals after which a client waits; "none" is no answer at all.
_TRY_LATER: Final = ("429", "503", "none")


@dataclass(frozen=True, slots=True)
class Attacker:
    """A client: the cookie of its account, or "", and its loopback address."""

    address: str
    cookie: str = ""


@dataclass(frozen=True, slots=True)
class Orders:
    """The orders of an attack. `attackers` are accounts, or strangers' addresses."""

    name: str
    port: int
    seconds: float
    attackers: Sequence[Attacker]
    # The table that strangers watch.
    table: str = ""
    after_refusal: float = 0.5

    @classmethod
    def read(cls, text: str) -> "Orders":
        given = json.loads(text)
        return cls(**given | {"attackers": [Attacker(**one) for one in given["attackers"]]})

    def text(self) -> str:
        return json.dumps(asdict(self))


@dataclass
class Tally:
    """What an attack did: requests by status; socket messages, frames and close codes."""

    answers: Counter[str] = field(default_factory=Counter)
    sockets: Counter[str] = field(default_factory=Counter)


class Client:
    """One connection of an attacker, which it reopens when the server has closed it."""

    def __init__(self, orders: Orders, attacker: Attacker, tally: Tally) -> None:
        self._orders = orders
        self._attacker = attacker
        self._tally = tally
        self._line: FormLine | None = None

    async def get(self, path: str) -> str:
        """Return the status; pause after a refusal."""
        return (await self._ask("GET", path, b""))[0]

    async def post(self, path: str, fields: Mapping[str, str]) -> tuple[str, str]:
        """Return the status, and where the answer redirects to."""
        return await self._ask("POST", path, urlencode(fields).encode())

    async def post_raw(self, path: str, body: bytes) -> str:
        return (await self._ask("POST", path, body))[0]

    async def _ask(self, method: str, path: str, body: bytes) -> tuple[str, str]:
        answers = self._tally.answers
        answers["unanswered"] += 1
        status, place = await self._answer(self._request(method, path, body))
        answers["unanswered"] -= 1
        answers[status] += 1
        if status in _TRY_LATER:
            await asyncio.sleep(self._orders.after_refusal)
        return status, place

    async def _answer(self, request: bytes) -> tuple[str, str]:
        try:
            if self._line is None or self._line.is_gone:
                self._line = await form_line(port=self._orders.port, address=self._attacker.address)
            # Not wait_for: in Python 3.11 it may lose the cancellation that ends the attack.
            async with asyncio.timeout(_PATIENCE):
                status, headers, _ = await self._line.ask(request)
        except (Refused, OSError, TimeoutError):
            if self._line is not None:
                self._line.transport.abort()
            self._line = None
            return "none", ""
        return str(status), headers.get("location", "")

    def _request(self, method: str, path: str, body: bytes) -> bytes:
        host = f"127.0.0.1:{self._orders.port}"
        cookie = self._attacker.cookie or f"csrftoken={CSRF_TOKEN}"
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
            f"Cookie: {cookie}\r\nX-CSRFToken: {CSRF_TOKEN}\r\nAccept-Language: en\r\n"
        )
        if method == "POST":
            head += (
                "Content-Type: application/x-www-form-urlencoded\r\n"
                f"Content-Length: {len(body)}\r\n"
            )
        return f"{head}\r\n".encode() + body


async def pages(orders: Orders, tally: Tally) -> None:
    """Read the lobby all the time, as any visitor may: eight requests at once, one per thread."""
    (attacker,) = orders.attackers

    async def read_on() -> None:
        client = Client(orders, attacker, tally)
        while True:
            await client.get("/")

    await asyncio.gather(*(read_on() for _ in range(_PAGES_AT_ONCE)))


async def names(orders: Orders, tally: Tally) -> None:
    """Post names of combining marks, which take long to sort, to each route that takes a name."""
    half = _LONGEST_NAME // 4
    body = b"name=a" + ("\u0301" * half + "\u0316" * half).encode()
    (attacker,) = orders.attackers
    code = await _open_table(Client(orders, attacker, tally), {})
    paths = [
        f"/account/people/{verb}/"
        for verb in ("ask", "accept", "decline", "remove", "block", "unblock")
    ]
    turns = itertools.cycle([*paths, f"/tables/{code}/invite/"] if code else paths)

    async def post_on() -> None:
        client = Client(orders, attacker, tally)
        while True:
            await client.post_raw(next(turns), body)

    await asyncio.gather(*(post_on() for _ in range(_NAMES_AT_ONCE)))


async def mixes(orders: Orders, tally: Tally) -> None:
    """Ask for the balance of one mix of house rules after another."""
    (attacker,) = orders.attackers
    options = itertools.cycle(_mixes())

    async def ask_on() -> None:
        client = Client(orders, attacker, tally)
        while True:
            await client.post("/tables/new/", _table_fields() | next(options) | {"balance": "1"})

    await asyncio.gather(*(ask_on() for _ in range(2)))


async def games(orders: Orders, tally: Tally) -> None:
    """Start quick games, and ask for the lobby all the time."""
    (attacker,) = orders.attackers

    async def start_on() -> None:
        client = Client(orders, attacker, tally)
        while True:
            await client.post("/quick/", {})

    async def look_on() -> None:
        client = Client(orders, attacker, tally)
        while True:
            await client.get("/")

    await asyncio.gather(start_on(), *(look_on() for _ in range(3)))


async def sockets(orders: Orders, tally: Tally) -> None:
    """Open strangers' sockets of one address, which all ask for everything again and again."""
    (attacker,) = orders.attackers

    async def talk_on(path: str) -> None:
        while True:
            await _socket_until_closed(orders, attacker, tally, path)
            await asyncio.sleep(orders.after_refusal)

    paths = itertools.cycle(["/live/lobby/", f"/live/tables/{orders.table}/"])
    await asyncio.gather(*(talk_on(path) for path in itertools.islice(paths, _SOCKETS)))


async def passwords(orders: Orders, tally: Tally) -> None:
    """Sign people up, fourteen at once; and open tables with passwords, and close them."""
    hosts = [attacker for attacker in orders.attackers if attacker.cookie]
    strangers = [attacker for attacker in orders.attackers if not attacker.cookie]

    async def host_on(host: Attacker) -> None:
        client = Client(orders, host, tally)
        while True:
            secret = {"visibility": "private", "password": "a long way home"}
            code = await _open_table(client, secret)
            if code:
                await client.post(f"/tables/{code}/close/", {})

    async def sign_up(client: Client) -> None:
        name = f"Bench {secrets.token_hex(6)}"
        fields = {"username": name, "email": "", "password1": "a long way home"}
        await client.post("/account/register/", fields)

    async def sign_up_on() -> None:
        clients = [
            Client(orders, stranger, tally)
            for stranger in itertools.islice(itertools.cycle(strangers), _SIGN_UPS_AT_ONCE)
        ]
        while True:
            await asyncio.gather(*(sign_up(client) for client in clients))

    await asyncio.gather(sign_up_on(), *(host_on(host) for host in hosts))


async def _socket_until_closed(orders: Orders, attacker: Attacker, tally: Tally, path: str) -> None:
    """Ask for all panels and acknowledge them, whether or not they come."""
    has_come = asyncio.Event()

    def on_text(_payload: bytes, _size: int) -> None:
        tally.sockets["frames"] += 1
        has_come.set()

    try:
        line = await open_socket(
            port=orders.port,
            path=path,
            cookie=attacker.cookie,
            address=attacker.address,
            on_text=on_text,
        )
    except (Refused, OSError, TimeoutError):
        tally.sockets["not opened"] += 1
        return
    while not line.is_gone:
        has_come.clear()
        line.send('{"have": {}}')
        with suppress(TimeoutError):
            async with asyncio.timeout(_IMPATIENCE):
                await has_come.wait()
        line.send('{"ack": 999999}')
        tally.sockets["messages"] += 2
    tally.sockets[f"closed {line.close_code}"] += 1


async def _open_table(client: Client, fields: Mapping[str, str]) -> str:
    """Return the code of the new table, or "" if it was refused."""
    asked = {**_table_fields(), **fields, "key": secrets.token_hex(8)}
    status, place = await client.post("/tables/new/", asked)
    return place.split("/")[2] if status.startswith("3") and place.startswith("/tables/") else ""


def _table_fields() -> dict[str, str]:
    return {"edition": "en", "seats_wanted": "7", "pace": "normal", "visibility": "unlisted"}


def _mixes() -> Iterator[dict[str, str]]:
    """Yield different mixes of house rules, as the form posts them."""
    for seats, *values in itertools.product("5678", *(("true", "false") for _ in SWITCHES)):
        options = {f"option_{name}": value for name, value in zip(SWITCHES, values, strict=True)}
        yield options | {"seats_wanted": seats}


ATTACKS: Final[dict[str, Callable[[Orders, Tally], Awaitable[None]]]] = {
    each.__name__: each for each in (pages, names, mixes, games, sockets, passwords)
}


async def attack(orders: Orders) -> Tally:
    """Attack for the ordered time, then stop whatever is still running."""
    tally = Tally()
    with suppress(TimeoutError):
        await asyncio.wait_for(ATTACKS[orders.name](orders, tally), orders.seconds)
    return tally


@contextmanager
def attacking(orders: Orders | None) -> Iterator[Tally]:
    """Run an attack in a process of its own; the tally is filled when the block has ended."""
    tally = Tally()
    if orders is None:
        yield tally
        return
    command = [sys.executable, "-m", "tests.bench.attacks"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as popen:
        try:
            assert popen.stdin is not None and popen.stdout is not None
            # The process has imported what it needs.
            popen.stdout.readline()
            popen.stdin.write(orders.text())
            popen.stdin.close()
            yield tally
            told = json.loads(popen.stdout.read())
        finally:
            popen.kill()
    tally.answers.update(told["answers"])
    tally.sockets.update(told["sockets"])


def main() -> None:
    print("ready", flush=True)
    orders = Orders.read(sys.stdin.read())
    print(json.dumps(vars(asyncio.run(attack(orders)))))


if __name__ == "__main__":
    main()
