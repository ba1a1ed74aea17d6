"""Random requests and frames: no status 500, no unhandled exception, no unlawful change.

FUZZ_REQUESTS and FUZZ_FRAMES set their numbers (`make secrecy` takes 100,000 of each),
SECRECY_SEED the random seed. Requests go through the ASGI application with its middleware, as a
server would pass them on; frames through the sockets' application. After every statement that
wrote to games or accounts, all rows are compared with those before, and `rights` decides who may
have changed them.
"""

import asyncio
import logging
import os
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from channels.layers import channel_layers
from django.core.asgi import get_asgi_application
from django.core.signals import got_request_exception
from django.db.backends.utils import CursorWrapper
from django.urls import NoReverseMatch, reverse, set_script_prefix

from accounts.models import User
from games.models import Pace, Table, Terms
from games.services import tables
from tests.builders.person import Person, forms_of
from tests.builders.sockets import Socket
from tests.builders.tables import fresh, is_over, person, play_until, run_table
from tests.nightly import times
from tests.second_factor import with_second_factor
from tests.secrecy.mutations import Request, bent, bent_frame, plain
from tests.secrecy.rights import Rows, forget_all_rows, is_watched, snapshot, unlawful
from tests.secrecy.stage import forget
from tests.secrecy.surfaces import routes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("quiet_log")]

REQUESTS = times("FUZZ_REQUESTS", 200, 1_200)
FRAMES = times("FUZZ_FRAMES", 300, 2_000)
SEED = os.environ.get("SECRECY_SEED", "1")
# The test data is rebuilt after this many requests, or this many lawful changes.
REQUESTS_A_TOWN, CHANGES_A_TOWN = 400, 60
FRAMES_A_TOWN = 500


@pytest.fixture
def quiet_log(settings) -> Iterator[None]:
    """Turn the log off: a line for each of 100,000 refusals helps no one; errors are collected.

    Ready checks and motions do not expire meanwhile, because the next viewer would settle them.
    """
    settings.READY_SECONDS = settings.MOTION_SECONDS = 86_400.0
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


class Town:
    """Tables of every stage, and users with every kind of right."""

    NAMES = ("Ada", "Boris", "Chika", "Dario", "Ewa")
    GUESTS = ("Nadia", "Gleb", "Hana", "Ivo", "Jana")

    def __init__(self, rng: Random) -> None:
        running = run_table(self.NAMES, pace=Pace.DAILY)
        play_until(running, lambda state: len(state.alive) < 5 or state.round > rng.randint(1, 6))
        hidden = run_table(self.GUESTS, pace=Pace.DAILY, is_private=True)
        over = run_table(self.NAMES, pace=Pace.DAILY)
        play_until(over, is_over)
        gathering = tables.open_table(
            host=person("Ada"), terms=Terms(edition="en", seats_wanted=7, pace=Pace.DAILY)
        )
        for name in ("Boris", "Nadia"):
            tables.join_table(table=gathering, user=person(name))
        self.tables = [fresh(table) for table in (running, hidden, over, gathering)]
        users = [person(name) for name in (*self.NAMES, *self.GUESTS[:2], "Sofia")]
        self.people = [Person(user, running) for user in users]
        self.people.append(Person(None, running))
        mona = with_second_factor(person("Mona", is_staff=True, is_superuser=True))
        self.moderator = Person(mona, running)

    def requests_of(self, someone: Person, rng: Random) -> list[tuple[Request, dict[str, str]]]:
        """Return what this user's browser could send from its page: links, forms, and guesses."""
        found = []
        # This thread still has the prefix of the last request.
        set_script_prefix("/")
        cookies = "; ".join(f"{name}={c.value}" for name, c in someone.client.cookies.items())
        token = someone.client.cookies["csrftoken"].value
        table = rng.choice(self.tables)
        page = someone.get(f"{table.get_absolute_url()}?whole=1")
        for form in forms_of(page.content.decode()):
            for _, name, value in form.buttons:
                data = {**form.fields, name: value} if name else dict(form.fields)
                found.append((form.action, data))
        decision = f"{rng.randint(1, 4)}-{rng.choice(['nomination', 'election', 'execution'])}"
        for button in ("act", "join", "leave", "close", "fill", "start", "back", "again",
            "kick", "host", "seating", "bots-say", "call", "ready", "role", "waiting", "motions",
            "motions/vote", "seal",
        ):  # fmt: skip
            data = {"decision": decision, "key": "k", "choice": "nominate:2"}
            found.append((f"{table.get_absolute_url()}{button}/", data))
        found += [
            ("/quick/", {"commitment": "0" * 64, "hash": "0" * 64}),
            ("/tables/new/", {"edition": "en", "seats_wanted": "7", "pace": "normal"}),
            ("/account/language/", {"language": "pl", "next": "/"}),
            ("/account/register/", {"username": "Zoe", "password1": "a long way", "email": ""}),
            ("/account/sign-in/", {"login": "Ada", "password": "x", "next": "/"}),
        ]
        posts = [(plain("POST", path, data, cookies, token), data) for path, data in found]
        gets = []
        for name, arguments in routes():
            values = {"code": table.code, "token": table.invitation}
            if set(arguments) <= set(values):
                # One pattern for several earlier addresses makes none of them.
                with suppress(NoReverseMatch):
                    path = reverse(name, kwargs={key: values[key] for key in arguments})
                    gets.append((plain("GET", path, {}, cookies, token), {}))
        if someone is self.moderator:
            # A moderator may post in the admin, so such posts would prove nothing.
            pages = ("/admin/", "/admin/accounts/user/", "/admin/accounts/user/1/change/")
            return [(plain("GET", path, {}, cookies, token), {}) for path in pages]
        return [*posts, *gets]


class Watch:
    """Records writes and errors while requests are made."""

    def __init__(self) -> None:
        self.has_written = False
        self.broken: list[str] = []

    @contextmanager
    def watching(self) -> Iterator["Watch"]:
        real_one, real_many = CursorWrapper.execute, CursorWrapper.executemany
        watch = self

        def execute(self: CursorWrapper, sql: str, params: Any = None) -> Any:
            watch.has_written = watch.has_written or is_watched(str(sql))
            return real_one(self, sql, params)

        def executemany(self: CursorWrapper, sql: str, param_list: Any) -> Any:
            watch.has_written = watch.has_written or is_watched(str(sql))
            return real_many(self, sql, param_list)

        def note(sender: Any, **kwargs: Any) -> None:
            self.broken.append(traceback.format_exc(limit=-6))

        got_request_exception.connect(note)
        CursorWrapper.execute, CursorWrapper.executemany = execute, executemany  # type: ignore
        try:
            yield self
        finally:
            CursorWrapper.execute, CursorWrapper.executemany = real_one, real_many  # type: ignore
            got_request_exception.disconnect(note)


async def sent(application: Any, request: Request, rng: Random) -> int:
    """Return the answer's status. The request's body may arrive in pieces."""
    pieces = [request.body]
    if len(request.body) > 1 and rng.random() < 0.1:
        at = rng.randrange(1, len(request.body))
        pieces = [request.body[:at], request.body[at:]]
    coming = [
        {"type": "http.request", "body": piece, "more_body": number < len(pieces)}
        for number, piece in enumerate(pieces, start=1)
    ]
    status: list[int] = []

    async def receive() -> dict[str, Any]:
        if coming:
            return coming.pop(0)
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            status.append(message["status"])
            for name, value in message["headers"]:
                assert isinstance(name, bytes) and isinstance(value, bytes)
                assert b"\r" not in value and b"\n" not in value

    await application(request.scope(), receive, send)
    return status[0]


def test_no_request_breaks_the_site_or_changes_what_it_may_not(settings):
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.ACCOUNT_RATE_LIMITS = {}
    # A request would make the bots' moves that are due, which is not an unlawful change.
    settings.BOT_PAUSE = 1e6
    rng = Random(f"requests {SEED}")
    application = get_asgi_application()
    met: Counter[str] = Counter()
    wrong: list[str] = []
    watch = Watch()

    async def all_of_them() -> None:
        while met["requests"] < REQUESTS and len(wrong) < 10:
            await sync_to_async(forget)()
            town = await sync_to_async(Town)(rng)
            await in_town(town)
            await sync_to_async(forget_all_rows)()

    async def in_town(town: Town) -> None:
        before: Rows = await sync_to_async(snapshot)()
        changes = count = 0
        kept: dict[int, list[tuple[Request, dict[str, str]]]] = {}
        with watch.watching():
            while count < REQUESTS_A_TOWN and changes < CHANGES_A_TOWN:
                if met["requests"] >= REQUESTS or len(wrong) >= 10:
                    return
                someone = rng.choice([*town.people, *town.people, town.moderator])
                key = id(someone)
                if key not in kept or rng.random() < 0.03:
                    await sync_to_async(signed_in)(someone)
                    kept[key] = await sync_to_async(town.requests_of)(someone, rng)
                    watch.has_written = False
                real, data = rng.choice(kept[key])
                request = Request(real.method, real.path, real.query, list(real.headers), real.body)
                request = bent(request, data, rng)
                count += 1
                met["requests"] += 1
                if met["requests"] % 5000 == 0:
                    print(f"{met['requests']} requests", flush=True)
                try:
                    status = await sent(application, request, rng)
                except Exception as error:
                    wrong.append(f"{error!r} for {request}")
                    continue
                met[f"status {status}"] += 1
                if status >= 500 or watch.broken:
                    wrong.append(f"{status} for {someone.user} {request}\n" + "".join(watch.broken))
                    watch.broken.clear()
                if watch.has_written:
                    watch.has_written = False
                    after = await sync_to_async(snapshot)()
                    if before != after:
                        changes += 1
                        met["changes"] += 1
                        bad = unlawful(someone.user, before, after)
                        if not request.is_genuine and request.method == "POST":
                            bad.append("changed by a forged request")
                        if bad:
                            wrong.append(f"{someone.user} {request} changed {bad}")
                        before = after
                if status == 302 and b"account" in request.path and b"language" not in request.path:
                    # The user signed out, or signed in as another.
                    kept.pop(key)

    async_to_sync(all_of_them)()
    print(f"\n{sorted(met.items())}")
    assert not wrong, "\n\n".join(wrong)
    # Some requests succeeded and some were refused, so the test has tried something.
    assert met["changes"] and met["status 200"] and met["status 404"] and met["status 422"]


def signed_in(someone: Person) -> None:
    """Restore the user's session: a mutated request may have signed out or in as another user."""
    someone.client.cookies.clear()
    someone.client.cookies["csrftoken"] = "a" * 32
    if someone.user is not None:
        someone.client.force_login(User.objects.get(pk=someone.user.pk))


async def listens(socket: Socket) -> str:
    """Return the outcome of a frame: an answer, a close, or nothing.

    Raises the exception that the application raised.
    """
    line = socket.line
    # A frame that takes longer to render is received after the next one is sent.
    for _ in range(8):
        if not line.output_queue.empty():
            message = line.output_queue.get_nowait()
            if message["type"] == "websocket.close":
                return f"closed {message.get('code')}"
            return "answered"
        if line.future.done():
            line.future.result()
            return "ended"
        await asyncio.sleep(0.0005)
    return "silent"


def test_no_frame_breaks_a_socket_or_changes_anything():
    rng = Random(f"frames {SEED}")
    met: Counter[str] = Counter()
    wrong: list[str] = []
    watch = Watch()

    async def all_of_them() -> None:
        while met["frames"] < FRAMES and len(wrong) < 10:
            channel_layers.backends.clear()
            await sync_to_async(forget)()
            town = await sync_to_async(Town)(rng)
            before = await sync_to_async(snapshot)()
            with watch.watching():
                watch.has_written = False
                await in_town(town)
            if await sync_to_async(snapshot)() != before or watch.has_written:
                wrong.append("frames wrote something")
            await sync_to_async(forget_all_rows)()

    async def in_town(town: Town) -> None:
        sockets: dict[int, Socket] = {}
        for _ in range(FRAMES_A_TOWN):
            if met["frames"] >= FRAMES or len(wrong) >= 10:
                break
            number = rng.randrange(6)
            socket = sockets.get(number)
            if socket is None:
                # Not the private table: test_access says who may open its socket.
                path = rng.choice(
                    [f"/live/tables/{town.tables[0].code}/", "/live/lobby/", "/live/lobby/"]
                )
                socket = Socket(rng.choice(town.people), path)
                assert await socket.opens()
                sockets[number] = socket
            frame = bent_frame(rng)
            met["frames"] += 1
            if met["frames"] % 5000 == 0:
                print(f"{met['frames']} frames", flush=True)
            try:
                await socket.line.send_input({"type": "websocket.receive", **frame})
                what = await listens(socket)
            except Exception as error:
                wrong.append(f"{error!r} for {str(frame)[:300]}")
                what = "ended"
            met[what] += 1
            if what.startswith("closed") or what == "ended":
                del sockets[number]
            elif what == "answered" and rng.random() < 0.5:
                await socket.send(ack=1)
        for socket in sockets.values():
            await socket.line.disconnect()

    async_to_sync(all_of_them)()
    print(f"\n{sorted(met.items())}")
    assert not wrong, "\n\n".join(wrong)
    assert met["answered"] and met["silent"] and sum(met.values()) > met["frames"]


def test_the_rights_are_not_a_dead_letter():
    """The check of the two tests above can tell an unlawful change from a move."""
    town = Town(Random(1))
    running = town.tables[0]
    before = snapshot()
    seat = running.seats.get(number=1)
    seat.is_away = True
    seat.save()
    assert unlawful(seat.user, before, snapshot()) == []
    assert unlawful(person("Sofia"), before, snapshot())
    assert unlawful(None, before, snapshot())
    Table.objects.filter(pk=running.pk).update(host=person("Sofia"))
    assert unlawful(person("Sofia"), before, snapshot())
    assert is_watched('UPDATE "games_table" SET "version" = 1')
    assert not is_watched('UPDATE "django_session" SET "x" = 1')
