"""`manage.py serve`: how a web process shuts down, and which requests it refuses."""

import asyncio
import json
import os
import re
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from config.launcher.valkey import find_valkey
from config.serving import server
from tests.hosting.guest import Guest
from tests.prepared import lay, migrate_sqlite

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 180.0
# Short enough for a quick test, long enough to look at the process meanwhile.
GENTLE = ("--grace", "1", "--spread", "0.3", "--patience", "30")


class Web:
    """A web process of a site on SQLite."""

    def __init__(self, environment: dict[str, str], port: int, command: list[str]) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            [sys.executable, *command, "--port", str(port)],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def asks(self, path: str) -> int:
        """Return the status of the answer; 0 if the connection fails."""
        try:
            return httpx.get(self.url + path, trust_env=False, timeout=PATIENCE).status_code
        except httpx.TransportError:
            return 0

    def until(self, path: str, status: int) -> None:
        end = time.monotonic() + PATIENCE
        while self.asks(path) != status:
            assert self.process.poll() is None or status == 0, self.said()
            assert time.monotonic() < end
            time.sleep(0.05)

    def terminate(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    async def has_ended(self) -> int:
        return await asyncio.to_thread(self.process.wait, PATIENCE)

    def said(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.read().decode()


class Site:
    """A table of five whose game has begun, and web processes that serve it."""

    def __init__(self, folder: Path, redis: str) -> None:
        self.database = folder / "data" / "db.sqlite3"
        self.environment = {
            **{name: value for name, value in os.environ.items() if name != "DATABASE_URL"},
            "CHANCELLERY_DATA": str(folder / "data"),
            "SECRET_KEY": secrets.token_hex(32),
            "REDIS_URL": redis,
            "LC_ALL": "C",
        }
        self.webs: list[Web] = []
        lay(folder / "data")
        if not self.database.exists():
            self.database.parent.mkdir(mode=0o700)
            migrate_sqlite(self.database)
            self._run("manage.py", "prepare", "--files")
        said = self._run("-m", "tests.hosting.hall", stdin=b'["guests", 5, 1]\n')
        [self.table, _, _], *guests = [json.loads(line) for line in said.split()]
        self.sessions = [session for [session] in guests]

    def _run(self, *command: str, stdin: bytes = b"") -> bytes:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=self.environment,
            input=stdin,
            stdout=subprocess.PIPE,
            check=True,
        )
        return done.stdout.replace(b", ", b",")

    def web(self, *options: str, command: tuple[str, ...] = ("manage.py",)) -> Web:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        web = Web(self.environment, port, [*command, "serve", *options])
        self.webs.append(web)
        web.until("/healthz/live", 200)
        return web

    def guest(self, web: Web, number: int = 0) -> Guest:
        return Guest(web.url, self.sessions[number])

    def moves(self) -> int:
        with closing(sqlite3.connect(self.database)) as line:
            return int(line.execute("SELECT count(*) FROM games_gameaction").fetchone()[0])

    @contextmanager
    def held_up(self) -> Iterator[None]:
        """Hold SQLite's write lock during the block: a posted move waits until it ends."""
        with closing(sqlite3.connect(self.database, isolation_level=None)) as line:
            line.execute("BEGIN IMMEDIATE")
            yield
            line.execute("ROLLBACK")

    async def first_mover(self, web: Web) -> Guest:
        """Return a player who may move now."""
        for number in range(len(self.sessions)):
            guest = self.guest(web, number)
            forms = await guest.forms(f"/tables/{self.table}/")
            if any(name == "choice" for form in forms for _, name, _ in form.buttons):
                return guest
        raise AssertionError("nobody may move")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    path = folder / "redis"
    redis = subprocess.Popen(
        [str(find_valkey()), "--port", "0", "--unixsocket", str(path), "--save", ""],
        stdout=subprocess.DEVNULL,
    )
    try:
        yield Site(folder, f"unix://{path}")
    finally:
        redis.kill()
        redis.wait()


@pytest.fixture(autouse=True)
def _none_is_left(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "site" in request.fixturenames:
        for web in request.getfixturevalue("site").webs:
            web.process.kill()
            web.process.wait()


async def close_code(line: ClientConnection) -> int | None:
    """Return the server's close code, after reading all that it sends before."""
    try:
        while True:
            await asyncio.wait_for(line.recv(), PATIENCE)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


# Shutting down -------------------------------------------------------------------------------


async def test_a_move_that_was_posted_gets_its_answer_and_is_kept(site: Site) -> None:
    web = site.web(*GENTLE)
    guest = await site.first_mover(web)
    before = site.moves()
    with site.held_up():
        moving = asyncio.create_task(guest.move(site.table))
        # Its form is on the way, or waits for the database.
        await guest.has_posted.wait()
        web.terminate()
        await asyncio.to_thread(web.until, "/healthz/live", 0)
        assert not moving.done()
        assert web.process.poll() is None
    assert await moving
    assert site.moves() == before + 1
    assert await web.has_ended() == 0


@pytest.mark.nightly
async def test_while_it_leaves_it_is_alive_but_not_ready_and_still_answers(site: Site) -> None:
    web = site.web("--grace", "600")
    assert web.asks("/healthz/ready") == 200
    web.terminate()
    await asyncio.to_thread(web.until, "/healthz/ready", 503)
    assert web.asks("/healthz/live") == 200
    guest = site.guest(web)
    page = await guest.get("/")
    assert page.status_code == 200
    # The client's next request opens a connection to another process.
    assert page.headers["Connection"] == "close"
    # A second SIGTERM ends the process without further waiting.
    web.terminate()
    assert await web.has_ended() == 0


async def test_sockets_are_closed_as_by_a_restart(site: Site) -> None:
    web = site.web(*GENTLE)
    guest = site.guest(web)
    async with guest.socket(site.table) as one, guest.socket(site.table) as other:
        await one.send('{"have": {}}')
        await one.recv()
        web.terminate()
        for line in (one, other):
            assert await close_code(line) == 1012
    assert await web.has_ended() == 0


@pytest.mark.nightly
async def test_what_is_never_finished_does_not_hold_it_for_ever(site: Site) -> None:
    web = site.web("--grace", "0", "--patience", "1")
    guest = await site.first_mover(web)
    before = site.moves()
    with site.held_up():
        moving = asyncio.create_task(guest.move(site.table))
        await guest.has_posted.wait()
        web.terminate()
        assert await web.has_ended() == 0
    # A move that was not acknowledged has not been made.
    with pytest.raises(httpx.TransportError):
        await moving
    assert site.moves() == before
    assert "cut off" in web.said()


async def test_not_all_clients_are_sent_away_in_the_same_instant(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = SimpleNamespace(now=0.0)
    closed_at: list[float] = []

    async def sleep(seconds: float) -> None:
        clock.now += seconds

    monkeypatch.setattr(server, "monotonic", lambda: clock.now)
    monkeypatch.setattr(server, "asyncio", SimpleNamespace(sleep=sleep))
    sockets = [
        SimpleNamespace(sendCloseFrame=lambda code: closed_at.append(clock.now)) for _ in range(300)
    ]
    draining = object.__new__(server.DrainingServer)
    draining._drain = server.Drain(grace=0, spread=3, patience=20)
    monkeypatch.setattr(draining, "_open_sockets", lambda: sockets)
    await draining._close_sockets()
    assert len(closed_at) == 300
    assert max(closed_at) <= 3
    by_half_seconds = [sum(half <= at * 2 < half + 1 for at in closed_at) for half in range(6)]
    assert max(by_half_seconds) <= 60


# Sockets that close while a message is sent ---------------------------------------------------


def in_one_write(*frames: tuple[Opcode, str | bytes]) -> bytes:
    """Return frames as a client sends them, masked, for one write: they arrive together."""
    return b"".join(
        Frame(opcode, data.encode() if isinstance(data, str) else data).serialize(mask=True)
        for opcode, data in frames
    )


def errors_in(log: str) -> int:
    """Return how many errors the log reports; a traceback is part of one."""
    count = len(re.findall(r"^(?:ERROR|CRITICAL) ", log, re.MULTILINE))
    if count:
        print(log)
    return count


@pytest.mark.nightly
async def test_an_answer_to_a_client_that_has_closed_is_dropped_without_an_error(
    site: Site,
) -> None:
    web = site.web(*GENTLE)
    goodbye = (Opcode.CLOSE, (1000).to_bytes(2, "big"))
    # An answer that the socket gives itself, one that the hub gives, and a refusal.
    for said in ("as told", "anew", "nonsense"):
        async with site.guest(web).socket(site.table) as line:
            await line.send('{"have": {}}')
            panels = json.loads(await line.recv())["panels"]
            question = {
                "as told": json.dumps({"have": panels}),
                "anew": json.dumps({"have": {}}),
                "nonsense": "nonsense",
            }[said]
            line.transport.write(in_one_write((Opcode.TEXT, question), goodbye))
            assert await close_code(line) == 1000
    web.terminate()
    assert await web.has_ended() == 0
    assert errors_in(web.said()) == 0


@pytest.mark.nightly
async def test_a_question_that_crosses_the_server_s_close_is_dropped_without_an_error(
    site: Site,
) -> None:
    # The process closes its sockets and takes time to exit: requests still arrive.
    web = site.web("--grace", "0", "--spread", "0", "--patience", "30")
    async with site.guest(web).socket(site.table) as line:
        await line.send('{"have": {}}')
        panels = json.loads(await line.recv())["panels"]
        question = in_one_write((Opcode.TEXT, json.dumps({"have": panels})))
        web.terminate()
        # The client answers the close only after what it has written before.
        while web.asks("/healthz/live") == 200:
            line.transport.write(question)
            await asyncio.sleep(0)
        line.transport.write(question * 20)
        # None: this client was slow to answer the close, and its connection was dropped.
        assert await close_code(line) in (None, 1012)
    assert await web.has_ended() == 0
    assert errors_in(web.said()) == 0


@pytest.mark.nightly
async def test_a_socket_that_fails_is_closed_with_1011_and_logged_once(site: Site) -> None:
    failing = (
        "import sys, manage; from config.serving import server\n"
        "class Inbox(server.Inbox):\n"
        "    async def get(self):\n"
        "        message = await super().get()\n"
        "        if message['type'] == 'websocket.receive': raise RuntimeError('a word')\n"
        "        return message\n"
        "server.Inbox = Inbox; sys.argv[0] = 'manage.py'; manage.main()"
    )
    web = site.web("--grace", "0", command=("-c", failing))
    async with site.guest(web).socket(site.table) as line:
        await line.send('{"have": {}}')
        assert await close_code(line) == 1011
    web.terminate()
    assert await web.has_ended() == 0
    said = web.said()
    assert errors_in(said) == 1
    assert "a socket failed" in said


# Failing to start ----------------------------------------------------------------------------


@pytest.mark.nightly
def test_a_taken_port_is_said(site: Site) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        web = Web(site.environment, port, ["manage.py", "serve"])
        assert web.process.wait(PATIENCE) == 1
    said = web.said()
    assert f"Can’t listen on 127.0.0.1, port {port}." in said
    assert "Traceback" not in said


@pytest.mark.nightly
@pytest.mark.parametrize("option", ["--grace=-1", "--spread=soon", "--patience=nan"])
def test_a_time_that_is_none_is_said(site: Site, option: str) -> None:
    web = Web(site.environment, 8000, ["manage.py", "serve", option])
    assert web.process.wait(PATIENCE) == 2
    assert "isn’t a number of seconds" in web.said()


# Refused input -------------------------------------------------------------------------------


def chunks(size: int) -> Iterator[bytes]:
    for _ in range(size // 1024):
        yield b"x" * 1024


async def test_neither_a_large_message_nor_a_large_body_is_taken(site: Site) -> None:
    web = site.web()
    guest = site.guest(web)
    async with guest.socket(site.table) as line:
        await line.send("x" * (server.LARGEST_MESSAGE + 1))
        # The server may send a close frame or just drop the connection.
        assert await close_code(line) in (None, 1009)

    bodies: list[Callable[[int], bytes | Iterator[bytes]]] = [lambda size: b"x" * size, chunks]
    for body in bodies:
        size = server.LARGEST_BODY
        # The body is read whole; Django then refuses the request for its missing token.
        taken = httpx.post(web.url, content=body(size), trust_env=False)
        assert taken.status_code in (403, 405)
        refused = httpx.post(web.url, content=body(size + 1024), trust_env=False)
        assert refused.status_code == 413
        assert "That text is too long" in refused.text
    assert web.asks("/healthz/ready") == 200

    # Answers without Django have the headers of all others, and the reader's language.
    usual = httpx.get(f"{web.url}/nowhere/", trust_env=False).headers
    wanted = {
        name: usual[name] for name in usual if re.match(r"content-s|cross-|permi|ref|x-[cf]", name)
    }
    assert len(wanted) == 7
    reader = {"Cookie": "django_language=ru", "Accept-Language": "pl"}
    refused = httpx.post(web.url, content=b"x" * (size + 1), headers=reader, trust_env=False)
    own = {"content-language": "ru", "cache-control": "no-store"}
    assert {**wanted, **own}.items() <= refused.headers.items()
    assert '<html lang="ru"' in refused.text


@pytest.mark.nightly
async def test_no_one_tells_the_site_where_it_is_mounted(site: Site) -> None:
    web = site.web()
    for root in (b"\xff", b"/elsewhere", b"%ff"):
        answer = httpx.get(web.url, headers={b"Daphne-Root-Path": root}, trust_env=False)
        assert answer.status_code == 200
        assert "/elsewhere" not in answer.text


@pytest.mark.nightly
async def test_a_peer_that_says_nothing_any_more_is_let_go(site: Site) -> None:
    # With the real values within a minute: the first ping, then a check every two seconds.
    assert server.PING_AFTER + 2 + server.PONG_WITHIN <= 60
    # A new ping must not come before the answer to the last is due, or it would extend that time.
    assert server.PONG_WITHIN < server.PING_AFTER
    hasty = (
        "import sys, manage; from config.serving import server as s; "
        "s.PING_AFTER = s.PONG_WITHIN = 1; sys.argv[0] = 'manage.py'; manage.main()"
    )
    web = site.web(command=("-c", hasty))
    reader, writer = await asyncio.open_connection("127.0.0.1", web.port)
    writer.write(
        f"GET /live/tables/{site.table}/ HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\n"
        f"Origin: {web.url}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n".encode()
    )
    assert b" 101 " in await reader.readline()
    # Pings arrive, and the test never answers them.
    rest = await asyncio.wait_for(_until_the_end(reader), PATIENCE)
    assert b"\x89" in rest
    writer.close()


async def _until_the_end(reader: asyncio.StreamReader) -> bytes:
    said = b""
    try:
        while part := await reader.read(1024):
            said += part
    except ConnectionResetError:
        pass
    return said
