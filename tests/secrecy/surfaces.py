"""Everything that a viewer's browser, the server's log and the cache's keys get at one moment."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.cookies import SimpleCookie
from random import Random
from typing import Any
from unittest.mock import patch

from django.contrib import admin
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.db.backends.utils import CursorWrapper
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse

from games.rules.actions import Discard, Nominate, ProposeVeto, Vote
from games.rules.record import action_json
from games.rules.state import GameState
from games.rules.view import view_for
from games.services import play
from tests.builders.person import Person
from tests.secrecy.stage import Stage

# Random and new in every answer, so they are removed before comparing.
RANDOM_HEADERS = {"X-Request-ID"}

# Values for the arguments of URLs. A new argument needs a line here.
ARGUMENTS: dict[str, Callable[[Stage], str]] = {
    "code": lambda stage: stage.table.code,
    "token": lambda stage: stage.table.invitation,
    "preset": lambda stage: "no-such-preset",
    "edition": lambda stage: stage.table.edition,
    "step": lambda stage: "nominate",
    "place": lambda stage: "gallery",
    "nth": lambda stage: "1",
    "anything": lambda stage: "1/1",
    # An account's key or export; no user here has one.
    "pk": lambda stage: "1",
    "export": lambda stage: "none",
    # The end of mails; the signature is wrong.
    "signed": lambda stage: "x",
    # A player to report.
    "seat": lambda stage: "1",
    "name": lambda stage: "Ada",
    # The profile page of a player, and the link to it.
    "key": lambda stage: stage.cast.players[0].person_key,
    "number": lambda stage: "0",
    "language": lambda stage: "en",
    # The first day with a puzzle.
    "day": lambda stage: "2026-11-01",
    # A dump; there is none.
    "month": lambda stage: "2020-01",
    # An uploaded record; there is none.
    "record": lambda stage: "no-such-record",
}
# Users may see hidden facts here by right and leave a trace: other tests say who may.
NOT_VISITED = {
    # Each answer contains a random challenge or secret for this viewer only.
    *("mfa_activate_totp", "mfa_add_webauthn", "mfa_login_webauthn", "mfa_reauthenticate_webauthn"),
    # It records a session when it first sees it.
    "usersessions_list",
}
BUTTONS = ("join", "leave", "close", "fill", "start", "again", "give-up")


@dataclass(frozen=True)
class Seen:
    """One answer, and the queries it took."""

    what: str
    status: int
    headers: tuple[tuple[str, str], ...]
    cookies: str
    body: bytes
    queries: int


class Ear:
    """Counts the queries of every thread, and collects what is logged."""

    def __init__(self) -> None:
        self.queries = 0
        self.lines: list[str] = []

    @contextmanager
    def listening(self) -> Iterator["Ear"]:
        real_one, real_many = CursorWrapper.execute, CursorWrapper.executemany
        ear = self

        def execute(self: CursorWrapper, sql: str, params: Any = None) -> Any:
            ear.queries += 1
            return real_one(self, sql, params)

        def executemany(self: CursorWrapper, sql: str, param_list: Any) -> Any:
            ear.queries += 1
            return real_many(self, sql, param_list)

        class Handler(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                ear.lines.append(f"{record.levelname} {record.name}: {record.getMessage()}")

        handler = Handler(logging.INFO)
        root = logging.getLogger()
        level = root.level
        CursorWrapper.execute, CursorWrapper.executemany = execute, executemany  # type: ignore
        root.addHandler(handler)
        root.setLevel(logging.INFO)
        try:
            yield self
        finally:
            root.setLevel(level)
            root.removeHandler(handler)
            CursorWrapper.execute, CursorWrapper.executemany = real_one, real_many  # type: ignore


def routes(resolver: URLResolver | None = None, namespace: str = "") -> list[tuple[str, list[str]]]:
    """Return every named URL of the site except the admin's, with its arguments."""
    found = []
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLPattern):
            name = f"{namespace}{pattern.name or pattern.pattern}"
            found.append((name, sorted(pattern.pattern.converters)))
        elif pattern.namespace != "admin":
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            found += [
                (name, sorted({*pattern.pattern.converters, *arguments}))
                for name, arguments in routes(pattern, inner)
            ]
    return found


def addresses(stage: Stage) -> list[str]:
    """Return every URL that a link may have, filled in for this table."""
    found = []
    for name, arguments in routes():
        if name in NOT_VISITED or not set(arguments) <= set(ARGUMENTS):
            continue
        try:
            found.append(reverse(name, kwargs={key: ARGUMENTS[key](stage) for key in arguments}))
        except NoReverseMatch:
            # A URL without a name: `name` is its pattern.
            found.append(f"/{name}")
    return found


def back_rooms() -> list[str]:
    """Return the admin's own pages: its index, every registered list and its first row."""
    found = [reverse("admin:index")]
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        found.append(reverse(f"{name}_changelist"))
        row = model._default_manager.order_by("pk").first()
        if row is not None:
            found.append(reverse(f"{name}_change", args=[row.pk]))
    return found


def received(
    stage: Stage, viewer: int | str, state: GameState, language: str, luck: int, *, all_of_it: bool
) -> tuple[list[Seen], list[str], list[str]]:
    """Return the viewer's answers, the lines of the log, and the cache's keys.

    `luck` selects which of the rarer surfaces are included; with `all_of_it` all are.
    """
    browser = stage.browser_of(viewer)
    browser.language = language
    jar = browser.client.cookies.output()
    session = Session.objects.get(pk=browser.client.session.session_key)
    kept = SimpleCookie(browser.client.cookies)
    ear = Ear()
    seen: list[Seen] = []

    def look(what: str, ask: Callable[[], Any]) -> Any:
        before = ear.queries
        answer = ask()
        headers = tuple(
            (name, value) for name, value in answer.items() if name not in RANDOM_HEADERS
        )
        body = answer.content if not answer.streaming else b"".join(answer.streaming_content)
        cookies = answer.cookies.output()
        seen.append(Seen(what, answer.status_code, headers, cookies, body, ear.queries - before))
        return answer

    try:
        with ear.listening():
            for what, ask in _questions(stage, browser, viewer, state, Random(luck), all_of_it):
                look(what, ask)
    finally:
        browser.client.cookies = kept
        # Drop what the requests wrote to the session, such as an invitation that was followed.
        session.save()
    assert browser.client.cookies.output() == jar
    keys = sorted(getattr(caches["default"], "_cache", {}))
    return seen, ear.lines, keys


def _questions(
    stage: Stage,
    browser: Person,
    viewer: int | str,
    state: GameState,
    rng: Random,
    all_of_it: bool,
) -> Iterator[tuple[str, Callable[[], Any]]]:
    url = stage.table.get_absolute_url()
    page: list[Any] = []

    def open_page() -> Any:
        page.append(browser.get(url))
        return page[0]

    yield "page", open_page
    yield "poll", lambda: browser.get(f"{url}panels/")
    stale = {"decision": "0", "key": "k", "choice": "vote:ja"}
    often: list[tuple[str, Callable[[], Any]]] = [
        ("whole page", lambda: browser.get(f"{url}?whole=1")),
        *(
            (f"rest of {name}", lambda name=name: browser.get(f"{url}panels/?rest={name}"))
            for name in ("log", "history", "talk", "phrasebook", "rules", "you")
        ),
        ("record", lambda: browser.get(f"{url}record/")),
        ("lobby", lambda: browser.get("/")),
        (
            "poll with everything there",
            lambda: browser.get(f"{url}panels/", HTTP_X_PANELS=_digests(page[0].content.decode())),
        ),
    ]
    if isinstance(viewer, int):
        often.append(("seat as data", lambda: _as_program(stage, browser, viewer)))
    rarer: list[tuple[str, Callable[[], Any]]] = [
        ("stale move, htmx", lambda: browser.post(f"{url}act/", stale, htmx=True)),
        ("stale move", lambda: browser.post(f"{url}act/", stale)),
        ("no move", lambda: browser.post(f"{url}act/", {"choice": "x"}, htmx=True)),
        ("claim", lambda: browser.post(f"{url}claim/", {"claim": "drawn-99-lff-f"}, htmx=True)),
        ("phrase", lambda: browser.post(f"{url}phrase/", {"phrase": "trust", "place": "table"})),
        ("head", lambda: browser.client.head(url, HTTP_ACCEPT_LANGUAGE=browser.language)),
        ("breaks", lambda: _broken(browser, f"{url}act/", stale, state)),
        ("no token", lambda: browser.post(f"{url}act/", stale, HTTP_X_CSRFTOKEN="no")),
        ("wrong invitation", lambda: browser.get(f"{url}invitation/no/")),
        ("no such page", lambda: browser.get(f"{url}no-such-page/")),
    ]
    for choice in ("vote:ja", "discard:liberal", "enact:fascist", "peek", "propose_veto"):
        if not _is_legal(choice, state, viewer):
            data = {"decision": state.decision, "key": "k", "choice": choice}
            rarer.append(
                (f"refused {choice}", lambda data=data: browser.post(f"{url}act/", data, htmx=True))
            )
    for button in BUTTONS:
        for htmx in (True, False):
            rarer.append(
                (button, lambda b=button, h=htmx: browser.post(f"{url}{b}/", htmx=h)),
            )
    rarer += [
        (address, lambda address=address: browser.get(address)) for address in addresses(stage)
    ]
    if viewer == "moderator":
        rarer += [
            (address, lambda address=address: browser.get(address)) for address in back_rooms()
        ]
    yield from [*often, *rarer] if all_of_it else [rng.choice(often), rng.choice(rarer)]
    accepted = _harmless(state, viewer)
    if accepted is not None and (all_of_it or rng.random() < 0.25):
        data = {"decision": state.decision, "key": "accepted", "choice": accepted}
        yield "accepted move", lambda: browser.post(f"{url}act/", data, htmx=rng.random() < 0.7)
        yield "page after", lambda: browser.get(url)
        yield "poll after", lambda: browser.get(f"{url}panels/")


def _as_program(stage: Stage, browser: Person, viewer: int) -> Any:
    """Return what the door for programs answers if a program has this seat."""
    with patch("accounts.auth.tokens.bot_with", return_value=stage.users[viewer]):
        return browser.client.get(
            f"/api/tables/{stage.table.code}/",
            HTTP_AUTHORIZATION="Bearer token",
            HTTP_ACCEPT_LANGUAGE=browser.language,
        )


def _digests(html: str) -> str:
    pieces = html.split(' data-panel="')[1:]
    pairs = []
    for piece in pieces:
        name, _, rest = piece.partition('" data-digest="')
        pairs.append(f"{name}:{rest.partition(chr(34))[0]}")
    return " ".join(pairs)


def choice_of(action: Any) -> str:
    parts = [str(value).lower() for key, value in action_json(action).items() if key != "seat"]
    return ":".join(parts)


def _legal(state: GameState, viewer: int | str) -> list[Any]:
    return list(view_for(state, viewer).legal) if isinstance(viewer, int) else []


def _is_legal(choice: str, state: GameState, viewer: int | str) -> bool:
    return choice in [choice_of(action) for action in _legal(state, viewer)]


def _harmless(state: GameState, viewer: int | str) -> str | None:
    """Return a legal move of this viewer that reveals nothing hidden, if there is one."""
    for action in _legal(state, viewer):
        if isinstance(action, Nominate | Discard | ProposeVeto):
            return choice_of(action)
        if isinstance(action, Vote) and set(state.to_act) - {viewer}:
            return choice_of(action)
    return None


def _broken(browser: Person, url: str, data: dict[str, str], state: GameState) -> Any:
    """Return the answer to a request that fails with an exception full of hidden facts."""

    def fails(**_: object) -> None:
        raise RuntimeError(f"{state.setup.roles} {state.draw} {state.hand} {state.ballots}")

    real, play.act = play.act, fails  # type: ignore[assignment]
    log = logging.getLogger("django.request")
    browser.client.raise_request_exception = False
    log.disabled = True
    try:
        return browser.post(url, data)
    finally:
        log.disabled = False
        browser.client.raise_request_exception = True
        play.act = real
