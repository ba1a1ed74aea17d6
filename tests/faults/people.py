"""Users at their browsers, who never give up: a request without an answer is sent again.

Each reads forms from pages, presses their buttons with the keys and decisions in them, and keeps
a journal, outside the site, of what the site has acknowledged.
"""

import asyncio
import random
import ssl
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import httpx
from lxml import html

# Shared by all clients: no connection here uses TLS, and creating one per client takes time.
_TLS = ssl.create_default_context()
PASSWORD = "a crowd's password 1933"
# Statuses that a site may send at any time: done, nothing new, redirects, stale, refused.
EXPECTED = {200, 204, 303, 302, 409, 422}
ANSWER_WITHIN = 15.0
# Long enough for a site that is killed repeatedly: it answers in between.
PATIENCE = 180.0


@dataclass
class Entry:
    """An action that a user asked for, and the answer that they finally got."""

    table: str
    who: str
    key: str
    decision: str
    choice: str
    # acknowledged, stale or refused; "" while the outcome is unknown.
    outcome: str = ""


@dataclass
class Journal:
    entries: list[Entry] = field(default_factory=list)
    # Answers that no browser should see: monotonic time, status and path.
    unexpected: list[tuple[float, int, str]] = field(default_factory=list)
    lost_answers: int = 0

    def acknowledged(self) -> int:
        return sum(1 for entry in self.entries if entry.outcome == "acknowledged")

    def as_json(self) -> list[dict[str, Any]]:
        return [asdict(entry) for entry in self.entries]


@dataclass
class Form:
    action: str
    fields: dict[str, str]
    # The id, name and value of each button that can be pressed.
    buttons: list[tuple[str, str, str]]


def forms_of(page: html.HtmlElement) -> list[Form]:
    return [
        Form(
            form.get("action") or "",
            {
                field.get("name"): field.get("value") or ""
                for field in form.iter("input")
                if field.get("name") and field.get("type") in ("hidden", None, "text")
            },
            [
                (button.get("id") or "", button.get("name") or "", button.get("value") or "")
                for button in form.iter("button")
                if button.get("disabled") is None
            ],
        )
        for form in page.iter("form")
    ]


class Person:
    """A user with a browser; a context manager."""

    def __init__(self, url: str, name: str, journal: Journal, seed: object = 0) -> None:
        self.name = name
        self.journal = journal
        self.rng = random.Random(f"{seed} {name}")
        # The number of moves made, as `play` counts them.
        self.made = 0
        self.client = httpx.AsyncClient(
            base_url=url,
            timeout=ANSWER_WITHIN,
            headers={"Accept-Language": "en"},
            trust_env=False,
            verify=_TLS,
        )

    async def __aenter__(self) -> "Person":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.aclose()

    async def ask(self, method: str, path: str, **what: Any) -> httpx.Response:
        """Send the request until it gets an answer that a browser should see."""
        until = time.monotonic() + PATIENCE
        while True:
            assert time.monotonic() < until, f"{path}: {self.journal.unexpected[-3:]}"
            try:
                answer = await self.client.request(method, path, **what)
            except (httpx.TransportError, httpx.InvalidURL):
                self.journal.lost_answers += 1
            else:
                if answer.status_code in EXPECTED:
                    return answer
                self.journal.unexpected.append((time.monotonic(), answer.status_code, path))
            await asyncio.sleep(0.1 + 0.4 * self.rng.random())

    async def page(self, path: str) -> html.HtmlElement:
        answer = await self.ask("GET", path, follow_redirects=True)
        return html.document_fromstring(answer.text)

    async def sign_up(self) -> None:
        answer = await self._sends("register", username=self.name, password1=PASSWORD)
        if answer.status_code not in (302, 303):
            # The account was made, and the answer was lost.
            answer = await self._sends("sign-in", login=self.name, password=PASSWORD)
        assert answer.status_code in (302, 303), f"{self.name} cannot sign up: {answer.text[:3000]}"

    async def _sends(self, name: str, **fields: str) -> httpx.Response:
        page = await self.page(f"/account/{name}/")
        form = next(
            form
            for form in forms_of(page)
            if "csrfmiddlewaretoken" in form.fields and form.action.endswith(f"/{name}/")
        )
        return await self.ask("POST", form.action, data=form.fields | fields)

    async def open_table(self, **changes: str) -> str:
        """Open a table and return its path."""
        page = await self.page("/tables/new/")
        form = next(form for form in forms_of(page) if form.action == "/tables/new/")
        values = {"edition": "en", "seats_wanted": "5", "pace": "blitz", "spectators": "on"}
        answer = await self.ask("POST", form.action, data=form.fields | values | changes)
        assert answer.status_code == 303, answer.text[:3000]
        return str(answer.headers["Location"])

    async def press(self, path: str, button: str) -> bool:
        """Press the button with this id, if the page has it. Return whether it did."""
        for form in forms_of(await self.page(path)):
            if any(found[0] == button for found in form.buttons):
                await self._post(form, {})
                return True
        return False

    async def _post(self, form: Form, more: dict[str, str]) -> httpx.Response:
        # Send the page's token in a header, as htmx does.
        headers = {"HX-Request": "true", "X-CSRFToken": form.fields.get("csrfmiddlewaretoken", "")}
        return await self.ask("POST", form.action, data=form.fields | more, headers=headers)

    async def move(self, form: Form, choice: str) -> Entry:
        """Ask for the move until an answer says whether it counts. Journal all of it."""
        entry = Entry(
            table=form.action.split("/")[2],
            who=self.name,
            key=form.fields["key"],
            decision=form.fields["decision"],
            choice=choice,
        )
        self.journal.entries.append(entry)
        answer = await self._post(form, {"choice": choice})
        entry.outcome = {200: "acknowledged", 303: "acknowledged", 409: "stale"}.get(
            answer.status_code, "refused"
        )
        return entry

    async def play(
        self, path: str, *, pause: float, is_enough: Callable[[], bool] = lambda: False
    ) -> None:
        """Play at the table until its game is over or `is_enough` returns true."""
        while not is_enough():
            page = await self.page(path)
            forms = forms_of(page)
            buttons = {button[0]: form for form in forms for button in form.buttons}
            if "again" in buttons or "/record/" in html.tostring(page, encoding="unicode"):
                return
            offers = [
                (form, value)
                for form in forms
                for _, name, value in form.buttons
                if name == "choice"
            ]
            if offers:
                form, choice = self.rng.choice(offers)
                self.made += 1
                await self.move(form, choice)
                if choice.startswith("vote"):
                    # A ballot may be changed until the last one is in; voting once is enough.
                    await asyncio.sleep(pause)
            elif "come-back" in buttons:
                await self._post(buttons["come-back"], {})
            await asyncio.sleep(pause * (0.5 + self.rng.random()))


async def gather(people: list[Person], **table: str) -> str:
    """Seat these users at one new table, fill it with bots and begin. Return the table's path."""
    host, *others = people
    path = await host.open_table(**table)
    for person in others:
        await person.press(path, "join")
    await host.press(path, "fill")
    while await host.press(path, "start"):
        pass
    return path
