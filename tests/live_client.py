"""A browser's side of a live table, in Python: a page, the frames that change it, the socket.

It does what `games/static/games/live.js` does, with the same timing, and applies frames exactly as
htmx would, so that the resulting page can be compared with a fresh one.
"""

import asyncio
import json
import random
import re
import time
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import httpx
from lxml import etree, html
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

COMPARE_EVERY = 5.0
ANSWER_WITHIN = 4.0
LONGEST_WAIT = 15.0
FRAME_WITHIN = 2.5
_SPACE = re.compile(r"\s+")
_INSERTIONS = ("afterbegin", "beforeend", "beforebegin", "afterend")


class Page:
    """A page as a browser holds it, and as frames change it."""

    def __init__(self, text: str) -> None:
        self.tree = html.document_fromstring(text)
        # Targets and panels that a frame named and the page does not have.
        self.missing: list[str] = []
        # The digests, cached until the page changes: a thousand of these pages share one process.
        self._digests: dict[str, str] | None = None

    def panel_elements(self) -> dict[str, html.HtmlElement]:
        found = self.tree.xpath("//*[@data-panel][@data-digest]")
        return {element.get("data-panel"): element for element in found}

    def digests(self) -> dict[str, str]:
        if self._digests is None:
            panels = self.panel_elements()
            self._digests = {name: panel.get("data-digest") for name, panel in panels.items()}
        return self._digests

    def panels(self) -> dict[str, str]:
        """Return each panel's content as text; equal texts look the same in a browser."""
        return {name: _plain(element) for name, element in self.panel_elements().items()}

    def apply(
        self,
        fragment: str,
        digests: Mapping[str, str] | None = None,
        base: Mapping[str, str] | None = None,
    ) -> bool:
        """Swap in a frame, or the answer to a poll or a post, as htmx does out of band.

        `base` holds the digests that it was made for. If a panel had another digest, only a whole
        panel can bring it up to date, so its digest becomes "unsure". Returns whether no panel is.
        """
        self._digests = None
        is_sure = True
        for element in html.fragments_fromstring(fragment) if fragment.strip() else []:
            if isinstance(element, str) or not isinstance(element.tag, str):
                continue
            how = element.attrib.pop("data-hx-swap-oob", None)
            if how is not None:
                self._swap(element, how)
        panels = self.panel_elements()
        for name, digest in (digests or {}).items():
            panel = panels.get(name)
            if panel is None:
                self.missing.append(name)
            elif panel.get("data-digest") != digest:
                fits = base is None or panel.get("data-digest") == base.get(name)
                panel.set("data-digest", digest if fits else "unsure")
                is_sure = is_sure and fits
        return is_sure

    def _swap(self, element: html.HtmlElement, how: str) -> None:
        style, _, selector = how.partition(":")
        target = self._find(selector or f"#{element.get('id')}")
        if target is None:
            self.missing.append(how)
        elif style in ("true", "outerHTML"):
            element.tail = target.tail
            target.getparent().replace(target, element)
        elif style == "innerHTML":
            _empty(target)
            _insert(target, 0, element)
        elif style == "beforeend":
            _insert(target, len(target), element)
        elif style == "afterbegin":
            # An answer may already have brought a row that a frame brings again.
            for row in element:
                known = self.tree.get_element_by_id(row.get("id"), None)
                if known is not None:
                    known.drop_tree()
            _insert(target, 0, element)
        elif style in _INSERTIONS:
            parent = target.getparent()
            _insert(parent, parent.index(target) + (style == "afterend"), element)
        else:
            raise ValueError(f"data-hx-swap-oob={how}: htmx has no such swap")

    def _find(self, selector: str) -> html.HtmlElement | None:
        if not selector.startswith("#"):
            raise ValueError(f"only #id is a target here, not {selector}")
        return self.tree.get_element_by_id(selector[1:], None)

    @property
    def csrf_token(self) -> str:
        headers = self.tree.xpath("string(//body/@data-hx-headers)")
        return str(json.loads(headers)["X-CSRFToken"]) if headers else ""


def have_header(digests: Mapping[str, str]) -> str:
    return " ".join(f"{name}:{digest}" for name, digest in digests.items())


def read_have_header(text: str) -> dict[str, str]:
    pairs = (item.partition(":") for item in text.split())
    return {name: digest for name, _, digest in pairs}


def _plain(element: html.HtmlElement) -> str:
    copy = deepcopy(element)
    copy.tail = None
    for token in copy.xpath(".//input[@name='csrfmiddlewaretoken'] | .//comment()"):
        token.drop_tree()
    # Canonical XML sorts attributes, so that their order makes no difference.
    text = etree.tostring(copy, method="c14n").decode()
    return _SPACE.sub(" ", text).replace("> <", "><").replace(" <", "<").replace("> ", ">")


def _empty(target: html.HtmlElement) -> None:
    target.text = None
    for child in list(target):
        target.remove(child)


def _insert(target: html.HtmlElement, at: int, wrapper: html.HtmlElement) -> None:
    """Insert the children of `wrapper` into `target`, before its child number `at`."""
    if wrapper.text and wrapper.text.strip():
        raise ValueError("text outside elements is not inserted here")
    for number, child in enumerate(list(wrapper)):
        target.insert(at + number, child)


# A viewer -----------------------------------------------------------------------------------------


@dataclass
class Seen:
    """What a viewer has received, and when."""

    opened: int = 0
    frames: int = 0
    polls: int = 0
    bytes: int = 0
    # Monotonic times: when the socket last opened, and when the page last changed. Changes of the
    # seats panel alone, which shows who is present, do not count.
    opened_at: float = 0.0
    changed_at: float = 0.0
    close_codes: list[int | None] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class LiveClient:
    """A viewer of a table. `run` keeps the page live until it is cancelled.

    Viewers may share `http`; `headers` are this viewer's own: Cookie and Accept-Language.
    """

    def __init__(
        self,
        http: httpx.AsyncClient,
        url: str,
        path: str,
        headers: Mapping[str, str],
        seed: object = 0,
    ) -> None:
        self.http, self.url, self.path, self.headers = http, url, path, dict(headers)
        self.rng = random.Random(f"{seed} {path}")
        self.page: Page | None = None
        self.socket: ClientConnection | None = None
        self.seen = Seen()
        self._failures = 0
        self._answer_due = asyncio.Event()
        # Digests: what the server makes frames for, and what the page last told it that it shows.
        self._told: dict[str, str] = {}
        self._said: dict[str, str] = {}
        self._asking: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        await self.load()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._stay_connected())
            tasks.create_task(self._compare_now_and_then())

    async def load(self) -> None:
        """Load a fresh page, retrying until one arrives."""
        self.page = Page(await self.fetch())
        self._changed()

    async def fetch(self) -> str:
        # With the old rows, which frames may change too.
        address = f"{self.url}{self.path}{'?whole=1' if self.path.startswith('/tables/') else ''}"
        while True:
            with suppress(httpx.TransportError):
                answer = await self.http.get(address, headers=self.headers)
                if answer.status_code == 200:
                    return answer.text
                self.seen.errors.append(f"{answer.status_code} for the page")
            await asyncio.sleep(0.2 + 0.8 * self.rng.random())

    async def post(self, path: str, data: Mapping[str, str]) -> int:
        """Post as htmx does, and show the answer. Return the status; 0 if no answer came."""
        assert self.page is not None
        asked, before = self.page.digests(), self.seen.frames
        live = {} if self.socket is None else {"X-Live": str(before)}
        try:
            answer = await self.http.post(
                self.url + path,
                data=dict(data),
                headers={
                    **self.headers,
                    "HX-Request": "true",
                    "X-CSRFToken": self.page.csrf_token,
                    "X-Panels": have_header(asked),
                    **live,
                },
            )
        except httpx.TransportError:
            await self.compare()
            return 0
        if "X-Live" in answer.headers:
            self._ask(self._after_answer(before, is_refused=answer.status_code != 200))
        elif answer.status_code in (200, 409, 422):
            self._show(answer.text, read_have_header(answer.headers.get("X-Panels", "")), asked)
        else:
            self.seen.errors.append(f"{answer.status_code} for {path}")
        return answer.status_code

    async def _after_answer(self, before: int, *, is_refused: bool) -> None:
        """Wait for the frame that brings what an answer did not; without it, ask."""
        if self.socket is None or is_refused:
            await self.compare()
            return
        await asyncio.sleep(FRAME_WITHIN)
        if self.seen.frames == before:
            await self._poll()

    def _ask(self, asking: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(asking)
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def compare(self) -> None:
        """Compare with the server over the socket, or over HTTP if there is none."""
        assert self.page is not None
        if self.socket is None:
            await self._poll()
            return
        self._said = dict(self.page.digests())
        # A frame on its way may still be made for the digests told before.
        for name, digest in self._said.items():
            if self._told.get(name) != digest:
                self._told[name] = ""
        with suppress(WebSocketException, OSError):
            await self.socket.send(json.dumps({"have": self._said}))
            self._answer_due.set()

    async def _compare_now_and_then(self) -> None:
        # Spread the first comparisons: real pages are not all opened at the same moment.
        await asyncio.sleep(COMPARE_EVERY * self.rng.random())
        await self.compare()
        while True:
            await asyncio.sleep(COMPARE_EVERY)
            await self.compare()

    async def _poll(self) -> None:
        assert self.page is not None
        headers = {**self.headers, "HX-Request": "true"}
        asked = self.page.digests()
        headers["X-Panels"] = have_header(asked)
        with suppress(httpx.TransportError):
            answer = await self.http.get(f"{self.url}{self.path}panels/", headers=headers)
            self.seen.polls += 1
            if answer.status_code == 200:
                self._show(answer.text, read_have_header(answer.headers.get("X-Panels", "")), asked)
            elif answer.status_code != 204:
                self.seen.errors.append(f"{answer.status_code} for a poll")

    async def _stay_connected(self) -> None:
        while True:
            with suppress(WebSocketException, OSError, TimeoutError):
                await self._one_connection()
            self.socket = None
            self._answer_due.clear()
            self._failures += 1
            wait = min(LONGEST_WAIT, 0.5 * 2 ** min(self._failures, 6))
            await asyncio.sleep(wait * (0.5 + self.rng.random() / 2))

    async def _one_connection(self) -> None:
        async with connect(
            f"{self.url.replace('http', 'ws', 1)}/live{self.path}",
            origin=self.url,  # type: ignore[arg-type]
            additional_headers=self.headers,
            user_agent_header=None,
            compression=None,
            ping_interval=None,
            max_size=None,
            proxy=None,
            open_timeout=20,
            close_timeout=1,
        ) as socket:
            self.socket = socket
            self._failures = 0
            self.seen.opened += 1
            self.seen.opened_at = time.monotonic()
            assert self.page is not None
            self._told = dict(self.page.digests())
            await self.compare()
            frames = 0
            try:
                while True:
                    # A lost connection often raises no error, so time out if an answer is due.
                    message = await self._next(socket)
                    if message is None:
                        return
                    if message.get("same"):
                        self._told = dict(self._said)
                    if "html" not in message and "panels" not in message:
                        if "error" in message:
                            self.seen.errors.append(message["error"])
                        continue
                    frames += 1
                    self.seen.frames += 1
                    self._show(message.get("html", ""), message.get("panels"), self._told)
                    self._told |= message.get("panels") or {}
                    await socket.send(json.dumps({"ack": message.get("frame", frames)}))
            finally:
                self.socket = None
                self.seen.close_codes.append(socket.close_code)

    async def _next(self, socket: ClientConnection) -> dict[str, Any] | None:
        """Return the next message; None if an answer is due and none comes in time."""
        receiving = asyncio.ensure_future(socket.recv())
        try:
            while not receiving.done():
                due = asyncio.ensure_future(self._answer_due.wait())
                try:
                    await asyncio.wait({receiving, due}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    due.cancel()
                if not receiving.done():
                    self._answer_due.clear()
                    await asyncio.wait({receiving}, timeout=ANSWER_WITHIN)
                    if not receiving.done():
                        return None
            self._answer_due.clear()
            text = receiving.result()
        finally:
            receiving.cancel()
        self.seen.bytes += len(text)
        message = json.loads(text)
        assert isinstance(message, dict)
        return message

    def _show(
        self, fragment: str, digests: Mapping[str, str] | None, base: Mapping[str, str]
    ) -> None:
        assert self.page is not None
        before = self.page.digests()
        if not self.page.apply(fragment, digests, base):
            self._ask(self.compare())
        after = self.page.digests()
        if any(after.get(name) != before.get(name) for name in after.keys() - {"seats"}):
            self._changed()

    def _changed(self) -> None:
        self.seen.changed_at = time.monotonic()


def differences(one: Page, other: Page) -> list[str]:
    """Return the panels whose content or digests differ, each with the first difference."""
    here, there = one.panels(), other.panels()
    return [
        f"{name}: {_first_difference(here.get(name, ''), there.get(name, ''))}"
        for name in sorted({*here, *there})
        if here.get(name) != there.get(name) or one.digests().get(name) != other.digests().get(name)
    ]


def _first_difference(one: str, other: str) -> str:
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), -1)
    if at < 0:
        at = min(len(one), len(other))
    return f"…{one[max(0, at - 40) : at + 60]}… is not …{other[max(0, at - 40) : at + 60]}…"
