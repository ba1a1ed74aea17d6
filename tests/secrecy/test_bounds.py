"""Every text in a request is limited in length before any code but `len` handles it.

64 KB of combining marks go to every part of every path, every value in it, every field of every
form and every message of the sockets. Unicode normalization sorts a run of marks in quadratic
time, so the test notes the longest run that reaches it.
"""

import ast
import logging
import re
import unicodedata
from collections.abc import Iterator
from encodings import idna
from pathlib import Path
from urllib.parse import quote
from zlib import crc32

import pytest
import regex
from django.core.cache import cache
from django.urls import resolve

from config.http.bounds import LONGEST_PARAMETER, LONGEST_SEGMENT, LONGEST_TEXT
from games import panels
from games.live.consumers import _LONGEST_MESSAGE
from games.live.hub import BAD_MESSAGE
from games.state import positions
from tests.builders.sockets import IN_TIME, Socket, does
from tests.nightly import NIGHTLY, by_day
from tests.secrecy.access_table import ACCESS, PUBLIC, Door, is_tried
from tests.secrecy.access_world import World, enter, undone, with_marks, world_of
from tests.secrecy.mutations import DEEP
from tests.secrecy.posted import PLAUSIBLE, body_of, fields_of, in_groups, sent

ROOT = Path(__file__).parent.parent.parent
# A run of this length costs 1.5 ms; 64 KB cost 1.6 s.
LONGEST_RUN = 1_000
KB_64 = 64 * 1024
NOT_FOUND, BAD, TOO_LARGE = 404, 400, 413
ACTORS = ("host", "superuser", "anonymous")


def marks(count: int) -> str:
    """Return this many combining marks, in the order that takes the longest to sort."""
    third = count // 3
    return "a" + "\u0345" * third + "\u0301" * third + "\u0316" * (count - 2 * third - 1)


class Runs:
    """Records the longest run of combining marks that is normalized."""

    def __init__(self) -> None:
        self.longest = 0

    def note(self, text: str) -> None:
        runs = regex.findall(r"\p{M}+", text)
        self.longest = max(self.longest, *map(len, runs), 0)


@pytest.fixture
def runs(monkeypatch) -> Runs:
    found = Runs()
    normalize, nameprep = unicodedata.normalize, idna.nameprep

    def noted(form: str, text: str) -> str:
        found.note(text)
        # Do not normalize what is too long: that would take too much time.
        return normalize(form, text[:LONGEST_RUN])

    def noted_label(label: str) -> str:
        found.note(label)
        return nameprep(label[:LONGEST_RUN])

    monkeypatch.setattr(unicodedata, "normalize", noted)
    monkeypatch.setattr(idna, "nameprep", noted_label)
    return found


@pytest.fixture(autouse=True)
def _quiet(settings) -> Iterator[None]:
    settings.ACCOUNT_RATE_LIMITS = {}
    for module in (positions, panels):
        module.forget_all()
    cache.clear()
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def doors(world: World, actor: str) -> Iterator[tuple[str, Door, str]]:
    """Yield all addresses for the host, and for others those that answer them otherwise.

    In `make test` each address is for one of these, in turn, and three of four are left out.
    """
    for name, door in ACCESS.items():
        others = (who for who in ACTORS[1:] if not door.answers_as_the_host(name, who, world.kind))
        who = ("host", *others)
        is_left_out = not NIGHTLY and crc32(name.encode()) % 4 > 0
        if actor in who and is_tried(actor, name, who) and not is_left_out:
            yield name, door, world.address(door.path)


@pytest.mark.parametrize("actor", by_day(1, ACTORS))
def test_no_field_of_any_address_brings_a_long_run_to_normalization(db, runs, actor):
    world = world_of(PUBLIC)
    viewer = enter(actor, world)
    wrong, tried = {}, 0
    for name, door, path in doors(world, actor):
        form = door.form(world)
        # If the address is only read, send all at once.
        fields = fields_of(viewer, "GET", path, form)
        requests = [("GET", group[:1], KB_64 // 2) for group in in_groups(fields)]
        requests.append(("GET", fields, LONGEST_PARAMETER))
        for group in in_groups(fields_of(viewer, "POST", path, form)):
            # Too long for any field, so one of the group is enough; then the longest that fits.
            requests.append(("POST", group[:1], KB_64 // 2 - 700))
            requests.append(("POST", group, min(LONGEST_TEXT, KB_64 // 2 // len(group) - 100)))
        for method, fields, count in requests:
            runs.longest = 0
            long = dict.fromkeys(fields, marks(count))
            if method == "GET":
                query = "&".join(f"{quote(field)}={quote(value)}" for field, value in long.items())
                status = sent(viewer, "GET", f"{path}?{query}")
            else:
                body = body_of(PLAUSIBLE | form | long)
                assert len(body) < KB_64
                status = sent(viewer, "POST", path, body)
            tried += 1
            if status >= 500 or runs.longest > LONGEST_RUN:
                wrong[name, method, *fields, count] = (status, runs.longest)
    print(f"\n{actor}: {tried} requests")
    assert wrong == {}
    assert tried > (150 if NIGHTLY else 20)


@pytest.mark.parametrize("actor", by_day(1, ACTORS))
def test_no_part_of_any_address_brings_a_long_run_to_normalization(db, runs, actor):
    world = world_of(PUBLIC)
    viewer = enter(actor, world)
    wrong = {}
    for name, door, path in doors(world, actor):
        arguments = {str(value) for value in resolve(path).kwargs.values()}
        parts = path.strip("/").split("/")
        for at, part in enumerate(parts):
            for count in (KB_64 // 2, LONGEST_SEGMENT) if part in arguments else ():
                runs.longest = 0
                bent = "/".join([*parts[:at], quote(marks(count)), *parts[at + 1 :]])
                for method in ("GET", "POST"):
                    status = sent(viewer, method, f"/{bent}/", body_of(door.form(world)))
                    if status >= 500 or runs.longest > LONGEST_RUN:
                        wrong[name, method, at, count] = (status, runs.longest)
                    if count > LONGEST_SEGMENT and status != NOT_FOUND:
                        wrong[name, method, at, count] = (status, "is there")
    assert wrong == {}


HEADERS = (
    *("Accept-Language", "Cookie", "Referer", "Origin", "X-Panels", "X-Request-ID", "User-Agent"),
    *("HX-Current-URL", "HX-Target", "HX-Trigger", "HX-Prompt", "X-Forwarded-For", "X-CSRFToken"),
)
COOKIES = ("theme", "motion", "time_zone", "language", "django_language", "device", "messages")


@pytest.mark.parametrize("actor", ["host", "anonymous"])
def test_no_header_and_no_cookie_brings_a_long_run_to_normalization(db, runs, actor):
    world = world_of(PUBLIC)
    viewer = enter(actor, world)
    raw = marks(KB_64 // 2).encode().decode("latin-1")
    cookies = [("Cookie", f"{name}={value}") for name in COOKIES for value in (raw, quote(raw))]
    paths = ("/", viewer.url, "/account/sign-in/", "/account/people/")
    named = [(name, value) for name in HEADERS for value in (raw, quote(raw))] + cookies
    for number, (name, value) in enumerate(named):
        for path in paths if NIGHTLY else [paths[number % len(paths)]]:
            headers = {
                "HTTP_" + name.upper().replace("-", "_"): value,
                f"HTTP_{name.upper().replace('-', '_')}_URI_AUTOENCODED": "true",
                "HTTP_HX_REQUEST": "true",
            }
            with undone(viewer):
                assert viewer.client.get(path, **headers).status_code < 500, (name, path)
                assert viewer.client.post(path, **headers).status_code < 500, (name, path)
    assert runs.longest <= LONGEST_RUN


# The refusals' texts ------------------------------------------------------------------------------


def test_a_long_text_gets_a_page_that_says_so_and_a_notice_where_the_page_stays(db):
    host = enter("host", world_of(PUBLIC))
    long = {"text": "x" * (LONGEST_TEXT + 1), "place": "table", "key": "k"}

    plain = host.post(f"{host.url}say/", long)
    htmx = host.post(f"{host.url}say/", long, htmx=True)

    assert plain.status_code == htmx.status_code == TOO_LARGE
    assert "That text is too long" in plain.content.decode()
    assert "<html" in plain.content.decode() and "<html" not in htmx.content.decode()
    assert 'id="notice"' in htmx.content.decode()
    assert "413" in re.search(r'"code":"([\d|]*413[\d|]*)","swap":true', host.page())[1]


def test_a_field_over_its_own_length_comes_back_with_what_was_typed(db):
    host = enter("host", world_of(PUBLIC))
    long = "x" * 2_000

    answer = host.post("/account/people/ask/", {"name": long})

    assert answer.status_code == 422 and long in answer.content.decode()


def test_a_cookie_longer_than_browsers_keep_is_not_read(db):
    host = enter("host", world_of(PUBLIC))
    host.client.cookies["sessionid"] = "x" * 5_000
    host.client.cookies["theme"] = "x" * 5_000

    answer = host.get("/account/people/")

    assert answer.status_code == 303 and answer.wsgi_request.COOKIES.get("theme") is None


@pytest.mark.parametrize("path", ["/", "/report/people/{}/", "/presets/{}/", "/account/export/{}/"])
@pytest.mark.parametrize("unfit", ["%00", "a%00b"])
def test_a_nul_in_a_path_leads_nowhere(db, path, unfit):
    host = enter("host", world_of(PUBLIC))
    path = path.format(unfit) if "{}" in path else f"/{unfit}/"
    assert host.get(path).status_code == host.post(path).status_code == NOT_FOUND


@pytest.mark.parametrize("path", ["/", "/rules/compare/", "/account/sign-in/", "/tables/new/"])
def test_a_nul_in_an_address_is_malformed(db, path):
    host = enter("host", world_of(PUBLIC))
    for field in ("edition", "a", "next", "lang"):
        assert host.get(f"{path}?{field}=a%00").status_code == BAD


# Sockets ------------------------------------------------------------------------------------------

LONG = marks(KB_64 // 2)
FITS = marks(_LONGEST_MESSAGE - 30)


def have(name: str, value: str) -> str:
    return f'{{"have": {{"{name}": "{value}"}}}}'


MESSAGES = [
    *(LONG, FITS, DEEP, '{"have":' * 300 + "1" + "}" * 300, "[" * 1900, '{"a":' * 390),
    *(have(text, "x") for text in (LONG, FITS[:1900], "\\u0000", "\\udfff", "a\0b")),
    *(have("log", text) for text in (LONG, "\\u0000", "\\ud800", "a\0b")),
    *(f'{{"{text}": 1}}' for text in (LONG, FITS[:1900], "\\u0000", "\\ud800")),
    *(f'{{"ack": {value}}}' for value in (f'"{LONG}"', "[" * 900, "1e999", "NaN")),
    *("\ud800", "\0", '"' * 1999, '\\"' * 999),
]


@with_marks
async def test_no_message_of_a_socket_brings_a_long_run_to_normalization(transactional_db, runs):
    world = await does(world_of)(PUBLIC)
    viewer = await does(enter)("host", world)
    for number, message in enumerate(MESSAGES):
        for path in (None, "/live/lobby/"):
            socket = Socket(viewer, path)
            assert await socket.opens()
            await socket.line.send_input({"type": "websocket.receive", "text": message})
            first = await socket.line.receive_output(timeout=IN_TIME)
            if first["type"] == "websocket.send" and '"error"' in first["text"]:
                assert await socket.closes_with() == BAD_MESSAGE, number
            else:
                # A name that no panel has, in a well-formed message.
                assert message == have(FITS[:1900], "x"), number
            await socket.line.disconnect()
    query = quote(LONG)
    for path in (f"/live/lobby/?edition={query}", f"/live/tables/{query}/"):
        line = Socket(viewer, path).line
        await line.connect(timeout=IN_TIME)
        await line.disconnect()
    assert runs.longest <= LONGEST_RUN


# The limit is in one place ------------------------------------------------------------------------


def test_normalization_is_called_where_the_text_is_bounded_and_nowhere_else():
    callers = set()
    for folder in ("accounts", "config", "games"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Attribute) and node.attr in ("normalize", "nameprep"):
                    callers.add(str(path.relative_to(ROOT)))
    # Names, messages, the names of countries in CLDR, and the end of what bots listen to.
    assert callers == {
        "accounts/profiles/names.py",
        "accounts/profiles/locale_names.py",
        "games/text/sanitising.py",
        "games/bots/listening/text.py",
    }
