"""A remote browser that posts forms and keeps a socket open."""

import asyncio
import json
import random
import re
import ssl
from pathlib import Path

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.builders.person import Form, forms_of
from tests.csrf_token import CSRF_TOKEN

# Seconds that a client waits for an answer before it counts as failed.
PATIENCE = 30


class Guest:
    """A client, signed in if `session` is given. Raises on status 500 and above, or no answer."""

    def __init__(self, url: str, session: str = "", certificate: Path | None = None) -> None:
        self.url = url
        is_secure = url.startswith("https:")
        prefix = "__Host-" if is_secure else ""
        cookies = {f"{prefix}csrftoken": CSRF_TOKEN}
        if session:
            cookies[f"{prefix}sessionid"] = session
        self.tls = ssl.create_default_context(cafile=certificate) if is_secure else None
        self.http = httpx.AsyncClient(
            base_url=url,
            cookies=cookies,
            headers={"Origin": url, "Accept-Language": "en"},
            verify=self.tls or False,
            trust_env=False,
            timeout=PATIENCE,
        )
        self.close_codes: list[int] = []
        self.frames = 0
        self.opened = 0
        self.is_caught_up = asyncio.Event()
        """Whether the open socket has compared its panels with the server's."""
        self.has_posted = asyncio.Event()
        """Whether a form has been sent, answered or not."""

    async def get(self, path: str) -> httpx.Response:
        return self._checked(await self.http.get(path))

    async def post(self, path: str, data: dict[str, str], *, htmx: bool = False) -> httpx.Response:
        headers = {"X-CSRFToken": self._cookie("csrftoken")} | (
            {"HX-Request": "true"} if htmx else {}
        )

        async def trace(step: str, info: object) -> None:
            if step == "http11.send_request_body.complete":
                self.has_posted.set()

        return self._checked(
            await self.http.post(path, data=data, headers=headers, extensions={"trace": trace})
        )

    async def forms(self, path: str) -> list[Form]:
        answer = await self.get(path)
        assert answer.status_code == 200, answer.status_code
        return forms_of(answer.text)

    async def press(self, path: str, button: str, **changes: str) -> httpx.Response:
        """Press the page's button with this id or value; return the answer."""
        for form in await self.forms(path):
            for each in form.buttons:
                if button in (each[0], each[2]):
                    data = form.fields | ({each[1]: each[2]} if each[1] else {}) | changes
                    return await self.post(form.action or path, data)
        raise AssertionError(f"no button {button} at {path}")

    async def move(self, table: str) -> bool:
        """Make one of the moves that the page offers; return whether it offered any."""
        forms = await self.forms(f"/tables/{table}/")
        choices = [
            (form, name, value) for form in forms for _, name, value in form.buttons
            if name == "choice"
        ]  # fmt: skip
        if not choices:
            return False
        form, name, value = random.choice(choices)
        answer = await self.post(form.action, form.fields | {name: value}, htmx=True)
        # 409: the time ran out first, and the page says so.
        assert answer.status_code in (200, 409), answer.status_code
        return True

    def socket(self, table: str) -> connect:
        return connect(
            re.sub("^http", "ws", f"{self.url}/live/tables/{table}/"),
            origin=self.url,  # type: ignore[arg-type]
            additional_headers={"Cookie": self._cookies()},
            ssl=self.tls,
            proxy=None,
            open_timeout=PATIENCE,
        )

    async def watch(self, table: str) -> None:
        """Keep a socket open as live.js does, until cancelled."""
        while True:
            try:
                async with self.socket(table) as line:
                    self.opened += 1
                    await line.send('{"have": {}}')
                    await self._read(line)
            except ConnectionClosed as closed:
                self.close_codes.append(closed.rcvd.code if closed.rcvd else 1006)
            except (InvalidHandshake, OSError, TimeoutError):
                # No server listens at this moment: reconnect, as any client does.
                self.close_codes.append(0)
            finally:
                self.is_caught_up.clear()
            await asyncio.sleep(random.uniform(0.2, 1))

    async def _read(self, line: ClientConnection) -> None:
        while True:
            frame = json.loads(await line.recv())
            self.frames += 1
            self.is_caught_up.set()
            await line.send(json.dumps({"ack": frame.get("frame", self.frames)}))

    async def close(self) -> None:
        await self.http.aclose()

    def _checked(self, answer: httpx.Response) -> httpx.Response:
        assert answer.status_code < 500, f"{answer.request.url}: {answer.status_code}"
        return answer

    def _cookie(self, name: str) -> str:
        for each in self.http.cookies.jar:
            if each.name.endswith(name):
                found = each.value or ""
        return found

    def _cookies(self) -> str:
        pairs = {each.name: each.value for each in self.http.cookies.jar}
        return "; ".join(f"{name}={value}" for name, value in pairs.items())
