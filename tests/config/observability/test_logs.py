"""The log shows the operator how the site is doing, and contains no secrets."""

import errno
import io
import json
import logging
import re
import sqlite3
from collections.abc import Iterator

import psycopg
import pytest
import redis
from django.conf import settings as django_settings
from django.core.exceptions import ImproperlyConfigured
from django.db import IntegrityError, OperationalError
from django.test import Client

from config.observability.logs import HIDDEN, OutageFilter, describe_exception, log_settings
from games.models import Table
from games.rules.actions import Discard
from games.rules.components import Policy
from games.services import play
from games.tasks import settle_game
from tests.builders.person import Person
from tests.builders.tables import is_over, person, play_until, run_table, state_of
from tests.csrf_token import CSRF_TOKEN

CONSUMER = "celery.worker.consumer.consumer"
PASSWORD = "correct horse battery"
GAME_WORDS = ("fascist", "liberal", "hitler", "discard", "enact", "nominate", "ballot", " ja ")


class Lines:
    """The log's lines, as production writes them."""

    def __init__(self, stream: io.StringIO) -> None:
        self.stream = stream

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    def all(self) -> list[dict]:
        return [json.loads(line) for line in self.text.splitlines()]

    def events(self, event: str) -> list[dict]:
        return [line for line in self.all() if line["event"] == event]


def listening(level: str, *, is_json: bool = True, is_debug: bool = False) -> logging.Handler:
    how = log_settings(level=level, is_json=is_json, is_debug=is_debug)["formatters"]["line"]
    kind = how.pop("()")
    handler = logging.StreamHandler(io.StringIO())
    handler.setFormatter(kind(**how))
    return handler


@pytest.fixture
def log(settings) -> Iterator[Lines]:
    """Capture the log: the project's own messages at every level, other libraries' from INFO up."""
    settings.ACCESS_LOG = True
    handler = listening("DEBUG")
    root = logging.getLogger()
    levels = {
        logger: logger.level
        for logger in (root, *map(logging.getLogger, ("games", "accounts", "config", "access")))
    }
    for logger in levels:
        logger.setLevel(logging.DEBUG)
    root.setLevel(logging.INFO)
    for name in ("django.request", "django.security.csrf", "django.server"):
        levels[logging.getLogger(name)] = logging.getLogger(name).level
        logging.getLogger(name).setLevel(logging.INFO)
    root.addHandler(handler)
    yield Lines(handler.stream)
    root.removeHandler(handler)
    for logger, level in levels.items():
        logger.setLevel(level)


# A whole game -------------------------------------------------------------------------------------


@pytest.fixture
def told_game(db, log) -> tuple[Lines, Table, list[Client]]:
    """Play a game over HTTP: five players sign in, play it to the end and make some mistakes."""
    table = run_table(is_private=True)
    people: dict[int, Person] = {}
    for seat in table.seats.all():
        seat.user.set_password(PASSWORD)
        seat.user.save()
        someone = people[seat.number] = Person(None, table)
        someone.post("/account/sign-in/", {"login": seat.user.username, "password": PASSWORD})
    while (state := state_of(table)).round < 4 and not is_over(state):
        seat = state.to_act[0]
        here = people[seat]
        if state.round == 1 and seat == 0:
            here.post(f"{here.url}act/", {"choice": "enact:fascist"}, htmx=True)
        choices = here.choices()
        choice = "vote:ja" if "vote:ja" in choices else choices[0]
        assert here.press(choice, htmx=seat % 2 == 0).status_code in (200, 303)
    play_until(table, is_over)
    for someone in people.values():
        someone.get(someone.url)
    guest = Person(person("Sofia"), table)
    invitation = f"{table.get_absolute_url()}invitation/{table.invitation}/"
    for answer in (
        guest.get(invitation),
        guest.post(invitation),
        guest.get(invitation + "more/"),
        guest.get(f"{table.get_absolute_url()}nothing/?token={table.invitation}"),
        Client(enforce_csrf_checks=True).post(invitation, {"password": PASSWORD}),
        Client().get("/account/sign-in/", {"next": invitation}),
        Client().get("/", headers={"host": "evil.example"}),
    ):
        assert answer.status_code < 500
    return log, table, [each.client for each in (*people.values(), guest)]


def test_a_whole_game_leaves_no_secret_in_the_log(told_game):
    log, table, clients = told_game
    table.refresh_from_db()
    secrets = {PASSWORD, table.invitation, CSRF_TOKEN, bytes(table.seed).hex(), table.commitment}
    secrets |= {seat.contribution for seat in table.seats.all()}
    for client in clients:
        secrets |= {cookie.value for cookie in client.cookies.values()}
        secrets.add(client.session.session_key)
    assert len(log.events("request")) > 50

    for secret in secrets - {""}:
        assert secret not in log.text
    for word in GAME_WORDS:
        assert word not in log.text.lower()


def test_a_request_s_line_says_who_asked_what_about_which_table(table, seated, log):
    seated[0].press("nominate:2")

    line = log.events("request")[-1]
    assert (line["method"], line["route"], line["status"]) == ("POST", "games:act", 303)
    assert (line["user"], line["table"]) == (seated[0].user.pk, table.code)
    assert line["ms"] > 0
    assert {"request_id", "timestamp", "level", "logger"} <= set(line)
    numbers = [each["request_id"] for each in log.events("request")]
    assert len(numbers) == len(set(numbers)) == 2


# Request ids --------------------------------------------------------------------------------------


def test_a_request_s_number_is_in_each_of_its_lines_and_in_the_answer(db, client, log, monkeypatch):
    monkeypatch.setattr("games.views.lobby.lobby_panels", lambda *_: 1 / 0)
    client.raise_request_exception = False

    number = client.get("/").headers["X-Request-ID"]

    crash = next(line for line in log.all() if "Internal Server Error" in line["event"])
    assert crash["request_id"] == log.events("request")[-1]["request_id"] == number
    assert "lobby.py" in crash["exception"]


@pytest.mark.parametrize("sent", ["4bf92f3577b34da6a3ce929d0e0e4736", "abc-DEF_12345"])
def test_a_trusted_proxy_may_number_requests_and_no_one_else(db, client, settings, sent):
    settings.TRUSTED_PROXIES = 0
    assert client.get("/", headers={"X-Request-ID": sent}).headers["X-Request-ID"] != sent

    settings.TRUSTED_PROXIES = 1

    assert client.get("/", headers={"X-Request-ID": sent}).headers["X-Request-ID"] == sent


@pytest.mark.parametrize("sent", ["", "short", "a" * 65, "a b c d e f g", 'x"y"zabcdefg', "ж" * 9])
def test_a_number_that_is_none_is_made_anew(db, client, settings, sent):
    settings.TRUSTED_PROXIES = 1

    made = client.get("/", headers={"X-Request-ID": sent}).headers["X-Request-ID"]

    assert re.fullmatch(r"[0-9a-f]{16}", made)


def test_what_someone_writes_into_an_address_is_not_logged(db, client, log):
    client.get("/tables/hunter2-is-my-password/")
    client.get("/hunter2-is-my-password/")

    assert "hunter2" not in "".join(
        json.dumps(line) for line in log.all() if line["logger"] == "access"
    )
    assert [line["route"] for line in log.events("request")] == ["games:table", "unknown"]


def test_one_request_s_person_is_not_in_the_next_one_s_lines(db, log):
    Person(person("Ada"), run_table()).get("/")
    Client().get("/")

    mine, nobody_s = log.events("request")
    assert "user" in mine
    assert "user" not in nobody_s


# Libraries' messages ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Not Found: /tables/ab/invitation/S3cret-x/", f"/tables/ab/invitation/{HIDDEN}/"),
        ("<WebRequest method=GET uri=/tables/ab/invitation/S3cret-x/ x>", "method=GET"),
        ("next=%2Ftables%2Fab%2Finvitation%2FS3cret-x%2F", "invitation%2F" + HIDDEN),
        ("GET /account/sign-in/?next=/S3cret-x HTTP/1.1", f"/account/sign-in/?{HIDDEN} HTTP"),
        ("no answer from redis://user:S3cret-x@redis.example:6379", "@redis.example:6379"),
        ("postgres://S3cret-x@db/name", "@db/name"),
        ("headers {'Cookie': 'S3cret-x'}", "headers"),
        ("__Host-sessionid=S3cret-x; path=/", "path=/"),
        ('{"password": "S3cret-x"}', "password"),
        ("METRICS_TOKEN=S3cret-x", "METRICS_TOKEN"),
        ("the game at table 17 failed to move", "the game at table 17 failed to move"),
        ("is it so? who knows", "is it so? who knows"),
    ],
)
@pytest.mark.parametrize("is_json", [True, False])
def test_addresses_and_what_opens_doors_are_cut(said, kept, is_json):
    handler = listening("INFO", is_json=is_json)

    handler.handle(logging.makeLogRecord({"msg": "%s", "args": (said,), "levelname": "INFO"}))

    line = handler.stream.getvalue()
    assert "S3cret-x" not in line
    assert kept.replace('"', r"\"") in line or kept in line


def raised(error: Exception) -> Exception:
    try:
        raise error
    except Exception as caught:
        return caught


@pytest.mark.parametrize(
    "error",
    [
        ValueError("seat 3 is hitler"),
        KeyError(Discard(0, Policy.FASCIST)),
        IntegrityError("failed\nDETAIL: Failing row contains (1, hitler)."),
        OperationalError("the server went away\nDETAIL: hitler"),
    ],
)
def test_an_exception_s_words_about_a_game_stay_out(error):
    words = describe_exception(raised(error))

    assert type(error).__name__ in words
    assert "test_logs.py" in words
    for word in ("hitler", "fascist", "seat 3"):
        assert word not in words


def test_an_exception_s_words_about_machines_stay_in():
    assert "the server went away" in describe_exception(
        raised(OperationalError("the server went away\nMore"))
    )
    assert "Set REDIS_URL" in describe_exception(raised(ImproperlyConfigured("Set REDIS_URL")))


def test_a_task_s_error_is_told_without_what_it_holds():
    error = "UnicodeEncodeError('utf-8', 'ada@example.com hitler', 0, 1, 'no')"
    handler = listening("INFO", is_json=True)

    handler.handle(
        logging.makeLogRecord(
            {
                "name": "celery.app.trace",
                "msg": "Task %(name)s raised unexpected: %(exc)s",
                "args": {"name": "accounts.tasks.write_export", "exc": error},
                "data": {"name": "accounts.tasks.write_export", "exc": error},
                "levelname": "ERROR",
            }
        )
    )

    line = handler.stream.getvalue()
    assert "accounts.tasks.write_export raised unexpected: UnicodeEncodeError" in line
    assert "ada@" not in line and "hitler" not in line


def test_the_exception_behind_an_exception_is_told_the_same_way():
    try:
        try:
            raise ValueError("hitler")
        except ValueError as error:
            raise RuntimeError("hitler") from error
    except RuntimeError as error:
        words = describe_exception(error)

    assert words.index("builtins.ValueError") < words.index("builtins.RuntimeError")
    assert "hitler" not in words.replace('("hitler")', "")


def test_a_flood_of_what_is_no_request_writes_a_line_each_and_no_traceback(db, client, log):
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400
    assert client.post("/", {f"field{n}": "x" for n in range(1500)}).status_code in (400, 405)

    assert any(line["logger"] == "django.security.DisallowedHost" for line in log.all())
    assert not any("exception" in line for line in log.all())


def test_a_game_that_fails_to_move_is_named_and_not_told(log, table, monkeypatch):
    def broken(table_id):
        raise ValueError("the hand is fascist, fascist, liberal")

    monkeypatch.setattr(play, "settle", broken)

    settle_game(table.pk)

    (line,) = [each for each in log.all() if "pushed back" in each["event"]]
    assert line["table_id"] == table.pk
    assert "ValueError" in line["exception"]
    assert "the hand is fascist, fascist, liberal\n" not in line["exception"]
    assert not line["exception"].rstrip().endswith("liberal")


# Log formats --------------------------------------------------------------------------------------


def test_for_people_a_line_reads_as_a_sentence():
    handler = listening("INFO", is_json=False)

    handler.handle(
        logging.makeLogRecord(
            {"msg": "ready", "levelname": "WARNING", "levelno": 30, "name": "games.tasks"}
        )
    )

    assert handler.stream.getvalue() == "WARNING games.tasks: ready\n"


def test_static_files_fill_no_log(client, log, settings):
    logging.getLogger("access").setLevel(logging.INFO)
    client.get("/static/games/live.js")

    assert log.events("request") == []
    assert django_settings.LOGGING["loggers"]["django.server"]["handlers"] == []


# Outages ------------------------------------------------------------------------------------------


def test_a_full_disk_is_told_once_a_minute(tmp_path):
    now = 1000.0
    handler = listening("INFO")
    handler.addFilter(OutageFilter(lambda: now))
    logger = logging.Logger("games.tasks")
    logger.addHandler(handler)
    database = sqlite3.connect(tmp_path / "full.sqlite3")
    database.execute("CREATE TABLE moves (said TEXT)")
    database.execute("PRAGMA max_page_count = 2")

    def works() -> None:
        try:
            try:
                database.execute("INSERT INTO moves VALUES (?)", ["x" * 100_000])
            except sqlite3.Error as error:
                raise OperationalError(*error.args) from error
        except OperationalError:
            logger.exception("the game could not move")

    for _ in range(100):
        works()
    logger.warning("something else")
    now += 61
    works()
    try:
        raise OSError(errno.ENOSPC, "No space left on device")
    except OSError:
        logger.exception("the same disk")

    said = [line["event"] for line in Lines(handler.stream).all()]
    assert said == ["the game could not move", "something else", "the game could not move"]
    console = log_settings(level="INFO", is_json=True, is_debug=False)["handlers"]["console"]
    assert console["filters"] == ["outages"]


def test_a_database_or_a_redis_that_is_away_is_told_once_a_minute(tmp_path):
    now = 1000.0
    handler = listening("INFO")
    handler.addFilter(OutageFilter(lambda: now))
    tasks, worker, pool = map(logging.Logger, ("games.tasks", CONSUMER, "psycopg.pool"))
    for logger in (tasks, worker, pool):
        logger.addHandler(handler)

    def fail() -> None:
        for connect in (
            lambda: psycopg.connect(host=str(tmp_path), dbname="site"),
            lambda: redis.Redis(unix_socket_path=str(tmp_path / "no.sock"), retry=None).ping(),
        ):
            try:
                connect()
            except (psycopg.Error, redis.RedisError) as error:
                tasks.exception("%s is away", error.__class__.__module__)
                # Celery and the pool say so without a traceback, and twice a second.
                worker.error("consumer: cannot connect: %s", error)
        pool.warning("reconnection attempt failed")

    for _ in range(50):
        fail()
    now += 61
    fail()
    # What is wrong with a statement is no outage.
    for wrong in (psycopg.errors.DeadlockDetected, psycopg.errors.UniqueViolation):
        for _ in range(2):
            tasks.error("a move failed", exc_info=wrong("two moves at once"))

    said = [line["event"] for line in Lines(handler.stream).all()]
    assert said == ["psycopg is away", "redis.exceptions is away"] * 2 + ["a move failed"] * 4
