"""Every page of the site, and a table in every phase, as the server renders them.

Used by all checks of whole pages: the pseudo-languages, axe, the checkers of markup, and the
pictures. A page that a new visitor may request is found by its route; pages that need something
to happen first are made in `_a_game`, `_the_end`, `_the_office` and `_what_goes_wrong`.
"""

import mimetypes
from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from pathlib import Path
from threading import Thread
from typing import Any, Self
from urllib.parse import urlsplit

from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.staticfiles import finders
from django.test import Client, RequestFactory
from django.urls import NoReverseMatch, reverse
from django.utils import timezone, translation

from accounts.models import Notification, Sanction, User
from accounts.services.appeals import make_appeal
from accounts.services.notifications import notify
from accounts.services.sanctions import impose_sanction
from accounts.throttling.too_many_requests import refuse
from games.models import Table, Terms
from games.rules.phases import Phase
from games.services import cases, chat, reports
from games.services.table_moderation import freeze_table
from games.services.tables import open_table, start_game
from games.state.rooms import room_of
from games.tutorial import BY_SLUG
from games.views.errors import server_error
from tests.builders.tables import (
    NAMES,
    act,
    fascist_dream,
    gather,
    is_over,
    legal_actions,
    person,
    run_table,
    state_of,
    user_at,
)
from tests.second_factor import with_second_factor
from tests.secrecy.surfaces import routes

# Routes without a page of this site's own, or not meant for people to read.
_LEFT = {
    "robots",
    "too_large",
    "change_password",
    "sitemap",
    "account_export_file",
    "mfa_download_recovery_codes",
}


STATIC = "/static/"

# A script that returns which text of the open page has no room.
ROOM = (Path(__file__).parent / "access" / "room.js").read_text(encoding="utf-8")

_MAIN_OF_VISITORS = (
    *("/", "/watch/", "/puzzle/2026-11-01/", "/tutorial/vote/", "/rules/", "/rules/ru/"),
    *("/ratings/", "/archive/", "/account/register/"),
)
_MAIN_OF_PLAYERS = ("/", "/tables/new/", "/account/", "/account/preferences/", "/games/")


class Reader:
    """A browser that shows answers with the site's own style sheets and pictures, without scripts.

    It shows one answer after the other in the same `page`, which can be examined after each.
    """

    def __init__(self, chromium: Any) -> None:
        self._html = ""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._address = "http://127.0.0.1:{1}/".format(*self._server.server_address)
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        self._context = chromium.new_context(reduced_motion="reduce")
        self.page = self._context.new_page()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._context.close()
        self._server.shutdown()
        self._server.server_close()

    def read(self, html: str) -> None:
        """Show this answer, with all `details` opened and the buttons that scripts show."""
        self._html = html
        self.page.goto(self._address, wait_until="load")
        self.page.evaluate(
            "document.querySelectorAll('details').forEach((it) => { it.open = true; });"
            "document.querySelectorAll('button[hidden]').forEach((it) => { it.hidden = false; });"
        )

    def close(self) -> None:
        """Close what a reader has not opened."""
        self.page.evaluate(
            "for (const it of document.querySelectorAll('details:not(.annals)')) it.open = false;"
        )

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        # A server, because with `page.route` Chromium requests each style sheet every time.
        reader = self

        class Answer(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                body, headers = reader._answer(urlsplit(self.path).path)
                self.send_response(200)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        return Answer

    def _answer(self, path: str) -> tuple[bytes, dict[str, str]]:
        if path == "/":
            html = {"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store"}
            return self._html.encode(), html
        found = finders.find(path.removeprefix(STATIC)) if path.startswith(STATIC) else None
        if found is None or path.endswith(".js"):
            return b"", {"Cache-Control": "max-age=600"}
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        return Path(found).read_bytes(), {"Content-Type": kind, "Cache-Control": "max-age=600"}


def told(wrong: Mapping[str, list[str]]) -> str:
    """Return each fault with the first page that has it, for the message of a failed test."""
    return "\n".join(
        f"{what}\n    {places[0]} and {len(places) - 1} more" for what, places in wrong.items()
    )


def pages(*languages: str) -> Iterator[tuple[str, str]]:
    """Yield names and HTML of all pages, as visitors, players and the host see them.

    With several languages each page is rendered in one of them, in turn.
    """
    turns = cycle(languages)
    gathering = gather(("Ada", "Boris", "Chika", "Dario", "Ewa"))
    yield from _a_date(turns)
    yield from _everywhere(turns, gathering)
    yield from _table(turns, "gathering", gathering, (None, "Ada", "Boris", "Sofia"))
    table = run_table()
    yield from _a_game(turns, table)
    yield from _the_end(turns, table)
    yield from _the_tutorial(turns)
    yield from _the_office(turns)
    yield from _what_goes_wrong(turns)


def main_pages(*languages: str) -> Iterator[tuple[str, str]]:
    """Yield the pages that people see most, like `pages`, with ten seats at the tables."""
    turns = cycle(languages)
    for path in _MAIN_OF_VISITORS:
        yield from _seen(turns, path, None)
    table = gather(NAMES)
    yield from _table(turns, "gathering", table, ("Ada", "Sofia"))
    start_game(table=table, user=table.host)
    yield from _phases(turns, table)
    yield from _table(turns, "over", table, (None, "Ada"))
    of_table = (f"{table.get_absolute_url()}{page}/" for page in ("replay", "truth"))
    for path in (*_MAIN_OF_PLAYERS, f"/report/{table.code}/", *of_table):
        yield from _seen(turns, path, person("Ada"))
    mona = with_second_factor(User.objects.create_superuser("Mona", password=None))
    yield from _seen(turns, "/moderation/", mona)
    yield "404", Client(HTTP_ACCEPT_LANGUAGE=next(turns)).get("/nowhere/").content.decode()


@cache
def main_pages_once(*languages: str) -> list[tuple[str, str]]:
    """Return the main pages, which several tests of one process look at."""
    return list(main_pages(*languages))


def _phases(turns: Iterator[str], table: Table) -> Iterator[tuple[str, str]]:
    """Yield the table at the first decision of each phase, for the actor."""
    seen: set[Phase] = set()
    state = state_of(table)
    while not is_over(state):
        if state.phase not in seen:
            seen.add(state.phase)
            yield from _table(
                turns, state.phase, table, (user_at(table, state.to_act[0]).username,)
            )
        state = act(table, fascist_dream(state, state.to_act[0]))


def _a_date(turns: Iterator[str]) -> Iterator[tuple[str, str]]:
    """Yield the pages of a scheduled table, which the lists on other pages also show."""
    terms = Terms(edition="pl", seats_wanted=7)
    at = timezone.now() + timedelta(days=3)
    table = open_table(host=person("Ada"), terms=terms, scheduled_at=at)
    yield from _table(turns, "scheduled", table, (None, "Ada", "Boris"))
    yield from _seen(turns, f"{table.get_absolute_url()}date/", person("Ada"))


def _a_game(turns: Iterator[str], table: Table) -> Iterator[tuple[str, str]]:
    """Yield the table at the first decision of each phase, for the actor and for a visitor."""
    seen: set[Phase] = set()
    chat.say(table=table, user=user_at(table, 1), place="table", text="Ĥéļļö, ƒŕîéñðš!", key="t1")
    state = state_of(table)
    while not is_over(state):
        if state.phase not in seen:
            seen.add(state.phase)
            actor = user_at(table, state.to_act[0]).username
            yield from _table(turns, state.phase, table, (None, actor))
        actions = legal_actions(state, state.to_act[0])
        vetoes = [a for a in actions if a.kind == "propose_veto"]
        if vetoes and Phase.VETO_PROPOSED not in seen:
            state = act(table, vetoes[0])
        else:
            state = act(table, fascist_dream(state, state.to_act[0]))
    yield from _table(turns, "over", table, (None, "Ada"))


def _the_end(turns: Iterator[str], table: Table) -> Iterator[tuple[str, str]]:
    """Yield the pages about a finished game other than the table itself."""
    ada = person("Ada")
    notify(user_pk=ada.pk, kind=Notification.Kind.AGAIN, by=person("Boris").pk, about=table.code)
    for path in (
        f"/people/{ada.person_key}/",
        "/account/notifications/",
        "/games/",
        "/archive/",
        "/archive/?players=7&moment=veto&since=2026-10-01&until=2026-10-31&player=%C5%BD%C5%BE%C5%BE",
        "/statistics/",
        "/ratings/",
        f"{table.get_absolute_url()}talk/",
        f"{table.get_absolute_url()}replay/",
        f"{table.get_absolute_url()}replay/?move=12&eyes=2",
        f"{table.get_absolute_url()}truth/",
        f"/report/{table.code}/",
        f"/report/{table.code}/seat/1/",
    ):
        yield from _seen(turns, path, ada)


def _the_office(turns: Iterator[str]) -> Iterator[tuple[str, str]]:
    """Yield moderators' pages: a claimed case of a running game, an appeal, and every list."""
    table = run_table(("Emil", "Fritz", "Greta", "Hanna", "Ida"))
    mona = with_second_factor(User.objects.create_superuser("Mona", password=None))
    filed = {"reporter": person("Emil"), "language": "en", "words": "Ĥé šţàļļš."}
    for number, reason in ((2, "stalling"), (3, "abuse")):
        reported = reports.reported_seat(
            room=room_of(table.code), user=person("Emil"), number=number
        )
        case = reports.file_report(reported=reported, reason=reason, **filed).case
    case = cases.claim_case(actor=mona, case=case)
    sanction = impose_sanction(
        actor=mona,
        user=person("Ida"),
        kind=Sanction.Kind.WARNING,
        reason="Ñó.",
        language=next(turns),
    )
    yield from _seen(turns, "/account/standing/", person("Ida"))
    make_appeal(user=person("Ida"), sanction_pk=sanction.pk, text="Ŵĥý?")
    yield from _seen(turns, "/report/", person("Emil"))
    for path in (
        "/",
        "/account/",
        "/moderation/",
        f"/moderation/cases/{case.pk}/",
        f"/moderation/people/{person('Ida').pk}/",
        f"/moderation/appeals/{sanction.appeal.pk}/",
        *(f"/moderation/{name}/" for name in ("people", "appeals", "audit", "switches")),
        f"{table.get_absolute_url()}order/",
    ):
        yield from _seen(turns, path, mona)
    freeze_table(actor=mona, table=table, because="report", reason="Ñó.")
    yield from _table(turns, "frozen", table, (None, "Emil", "Mona"))


def _what_goes_wrong(turns: Iterator[str]) -> Iterator[tuple[str, str]]:
    language = next(turns)
    browser = Client(HTTP_ACCEPT_LANGUAGE=language)
    yield "404", browser.get("/nowhere/").content.decode()
    yield "400", browser.get("/", headers={"host": "elsewhere.example"}).content.decode()
    strict = Client(enforce_csrf_checks=True, HTTP_ACCEPT_LANGUAGE=language)
    yield "403", strict.post("/quick/").content.decode()
    broken = browser.post("/account/sign-in/", {"login": "Ada", "password": "wrong"})
    yield "sign-in, refused", broken.content.decode()
    request = RequestFactory().get("/")
    request.LANGUAGE_CODE, request.user = language, AnonymousUser()
    request.session = SessionStore()
    with translation.override(language):
        yield "429", refuse(request, 30).content.decode()
        yield "500", server_error(request).content.decode()


def _seen(turns: Iterator[str], path: str, user: User | None) -> Iterator[tuple[str, str]]:
    html = _read(_browser(turns, user), path)
    assert html, f"{user} does not see {path}"
    yield f"{path}, {user}", html


def _table(
    turns: Iterator[str], moment: str, table: Table, names: tuple[str | None, ...]
) -> Iterator[tuple[str, str]]:
    for name in names:
        # Visitors open the page as everyone does; the others with what it leaves for later.
        path = f"{table.get_absolute_url()}{'?whole=1' if name else ''}"
        html = _read(_browser(turns, name and person(name)), path)
        if html:
            yield f"table, {moment}, {name or 'a stranger'}", html


def _the_tutorial(turns: Iterator[str]) -> Iterator[tuple[str, str]]:
    """Yield every lesson, some of them after the right move, and the first game."""
    done = ("vote/?did=vote:nein", "claim/?did=claim:drawn-1-fff-f", "execute/?did=execute:3")
    for step in (*(f"{slug}/" for slug in BY_SLUG), *done, "play/"):
        path = f"/tutorial/{step}"
        yield path, _read(_browser(turns, None), path)
    ada = _browser(turns, person("Ada"))
    yield "/tutorial/play/, Ada", _read(ada, "/tutorial/play/")


def _everywhere(turns: Iterator[str], table: Table) -> Iterator[tuple[str, str]]:
    """Yield the pages of all routes whose arguments can be filled in here."""
    known = {"code": table.code, "token": table.invitation, "edition": "ru"}
    for name, arguments in routes():
        if name in _LEFT or not set(arguments) <= set(known):
            continue
        try:
            path = reverse(name, kwargs={one: known[one] for one in arguments})
        except NoReverseMatch:
            continue
        for who in (None, "Ada"):
            html = _read(_browser(turns, who and person(who)), path)
            if html:
                yield f"{path}, {who or 'a stranger'}", html


def _browser(turns: Iterator[str], user: User | None) -> Client:
    browser = Client(HTTP_ACCEPT_LANGUAGE=next(turns))
    if user is not None:
        browser.force_login(user)
    return browser


def _read(browser: Client, path: str) -> str:
    """Return a whole page; "" for a fragment, a file, a redirect or a page that is not found."""
    answer = browser.get(path)
    html = answer.content.decode(errors="replace")
    return html if html.lstrip().startswith("<!doctype html>") and answer.status_code != 404 else ""
