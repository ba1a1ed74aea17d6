"""A real site with processes and sockets under a flood, while another user goes on playing."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.browser.conftest import Site

TOO_MUCH, TOO_MANY_REQUESTS = 4429, 429


@pytest.fixture
def site(tmp_path) -> Iterator[Site]:
    site = Site(
        tmp_path / "data",
        LIMITS="on",
        LIMIT_ACTIONS="25/minute",
        LIMIT_MESSAGES="40/minute",
        LIMIT_SOCKETS_OF_A_USER="3",
    )
    yield site
    site.stop()


class Client:
    """A newly registered user with cookies, forms and sockets."""

    def __init__(self, site: Site, name: str) -> None:
        self.origin = f"http://127.0.0.1:{site.port}"
        self.jar = CookieJar()
        self.opener = build_opener(HTTPCookieProcessor(self.jar))
        self.opener.open(f"{self.origin}/account/register/")
        assert self.post("/account/register/", username=name, password1="a long way home") == 200

    def post(self, path: str, **fields: str) -> int:
        """Post a form, follow its redirects and return the status of the last page."""
        token = next(cookie.value for cookie in self.jar if cookie.name == "csrftoken")
        body = urlencode(fields | {"csrfmiddlewaretoken": token}).encode()
        try:
            with self.opener.open(Request(f"{self.origin}{path}", body)) as answer:
                self.at = answer.geturl().removeprefix(self.origin)
                return answer.status
        except HTTPError as error:
            with error:
                self.retry_after = error.headers["Retry-After"]
            return error.code

    def opens_a_table(self) -> str:
        form = {"edition": "en", "seats_wanted": "5", "pace": "normal", "visibility": "private"}
        assert self.post("/tables/new/", **form) == 200
        assert re.fullmatch(r"/tables/\w+/", self.at)
        return self.at

    def socket(self, table: str) -> ClientConnection:
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.jar)
        return connect(
            f"{self.origin.replace('http', 'ws')}/live{table}",
            origin=self.origin,
            additional_headers={"Cookie": cookies},
        )


class Watching:
    """A page's socket that reads each frame and acknowledges it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames = 0
        socket.send(json.dumps({"have": {}}))

    def sees(self, panel: str) -> bool:
        """Wait for a frame that updates this panel."""
        while True:
            message = json.loads(self.socket.recv(timeout=10))
            self.frames += 1
            self.socket.send(json.dumps({"ack": self.frames}))
            if panel in message.get("panels", ()):
                return True


def close_code(socket: ClientConnection) -> int:
    try:
        while True:
            socket.recv(timeout=10)
    except ConnectionClosed as closed:
        return closed.rcvd.code


def is_dropped_for(socket: ClientConnection, message: str) -> bool:
    try:
        socket.send(message)
        while True:
            socket.recv(timeout=10)
    except ConnectionClosed:
        return True


@pytest.mark.nightly
def test_a_flood_of_sockets_words_and_posts_meets_its_limits_and_another_table_plays(site):
    player, flooder = Client(site, "Ada"), Client(site, "Flora")
    table, target = player.opens_a_table(), flooder.opens_a_table()
    with ExitStack() as opened:

        def opens(client: Client, path: str) -> ClientConnection:
            return opened.enter_context(client.socket(path))

        watching = Watching(opens(player, table))
        assert watching.sees("seats")

        # Sockets: three stay open, the others are closed.
        sockets = [opens(flooder, target) for _ in range(13)]
        assert [close_code(socket) for socket in sockets[3:]] == [TOO_MUCH] * 10
        assert player.post(f"{table}fill/") == 200
        assert watching.sees("seats")

        # Messages.
        for _ in range(60):
            try:
                sockets[0].send(json.dumps({"ack": 999}))
            except ConnectionClosed:
                break
        assert close_code(sockets[0]) == TOO_MUCH

        # A message larger than any that the site's script sends.
        assert is_dropped_for(sockets[1], '{"have": {"log": "' + "x" * 2**22 + '"}}')

        # Posts.
        answers = [flooder.post(f"{target}join/") for _ in range(5)]
        answers += [flooder.post(f"{target}start/") for _ in range(40)]
        assert answers.count(TOO_MANY_REQUESTS) == 15
        assert 0 < int(flooder.retry_after) <= 60

        assert player.post(f"{table}start/") == 200
        assert watching.sees("action")
