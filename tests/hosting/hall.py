"""A program that plays at several tables through the site's services, and runs its commands.

It reads what to do from standard input, a JSON list on each line:

    ["open", 3]                  opens tables and starts their games
    ["move", 20]                 makes this many moves, in turn; 0 means until a game is over
    ["tell"]                     prints the position of each game, replayed from its actions
    ["live"]                     lives for a while: see tests/builders/lived_site.py
    ["rows"]                     prints every row of every table
    ["guests", 5, 2]             signs five people in, seated together at two running tables
    ["crowd", 9]                 signs in this many visitors, to make the database larger
    ["manage", "backup", "x"]    runs a management command in this process
    ["manage_beside_a_site", ..] the same while this process has the heartbeat of a web process

Every line that it prints is a JSON list. For a table: the code, the number of actions and a digest
of the state; for a row: the table and the values; for a guest: the session key; for a command: its
status and its output. A move is printed once it is committed. An empty line ends an answer.
"""

import io
import itertools
import json
import os
import secrets
import sys
from datetime import timedelta
from hashlib import sha256
from threading import Event
from time import sleep

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import (  # noqa: E402
    BACKEND_SESSION_KEY,
    HASH_SESSION_KEY,
    SESSION_KEY,
)
from django.contrib.contenttypes.models import ContentType  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.contrib.sessions.models import Session  # noqa: E402
from django.core.management import CommandError, call_command  # noqa: E402
from django.db import connections  # noqa: E402
from django.utils import timezone  # noqa: E402

from config.backup.tables import all_tables  # noqa: E402
from games.live.heartbeat import start_heartbeat  # noqa: E402
from games.models import Pulse, Table  # noqa: E402
from games.rules.legality import legal_actions  # noqa: E402
from games.rules.record import ReplayedPosition as At  # noqa: E402
from games.rules.record import action_json, position_json  # noqa: E402
from games.state.positions import Position, forget_all  # noqa: E402
from tests.builders.lived_site import live  # noqa: E402
from tests.builders.tables import act, person, position, run_table  # noqa: E402


def say(table: Table, at: Position) -> None:
    steps = [(action_json(step.action), step.by, step.at.isoformat()) for step in at.steps]
    # Serialized as JSON, since the order of a set is not stable.
    digest = sha256(
        json.dumps([position_json(At(at.length, at.state)), steps]).encode()
    ).hexdigest()
    print(json.dumps([table.code, at.length, digest]), flush=True)


def open_tables(count: int) -> None:
    for number in range(count):
        names = [f"{name} {number}" for name in ("Ada", "Boris", "Chika", "Dario", "Ewa")]
        table = run_table(names, seed=number.to_bytes(32, "big"))
        say(table, position(table))


def move(count: int) -> None:
    """Make `count` moves, table by table.

    So of two tables the earlier one has as many moves as the later one, or one more.
    """
    tables = itertools.cycle(Table.objects.order_by("pk"))
    for made, table in enumerate(tables):
        if count and made == count:
            return
        state = position(table).state
        if state.outcome is not None:
            return
        action = secrets.choice(legal_actions(state, state.to_act[0]))
        act(table, action)
        say(table, position(table))


def tell() -> None:
    for table in Table.objects.order_by("pk"):
        say(table, position(table))


def rows() -> None:
    for model in all_tables():
        names = [field.attname for field in model._meta.concrete_fields]
        for row in model._base_manager.order_by("pk").values_list(*names):
            # PostgreSQL has its own order of a JSON object's keys.
            print(json.dumps([model._meta.label, *row], sort_keys=True, default=_text), flush=True)


def _text(value: object) -> str:
    return bytes(value).hex() if isinstance(value, bytes | memoryview) else str(value)


def guests(count: int, tables: int) -> None:
    group = secrets.token_hex(3)
    names = [f"guest {group} {number}" for number in range(count)]
    for _ in range(tables):
        table = run_table(names, seed=secrets.token_bytes(32))
        say(table, position(table))
    for name in names:
        user = person(name)
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.save()
        print(json.dumps([session.session_key]), flush=True)


def crowd(count: int) -> None:
    """Create this many session rows of random data, which hardly compresses."""
    Session.objects.bulk_create(
        Session(
            session_key=secrets.token_hex(16),
            session_data=secrets.token_urlsafe(200),
            expire_date=timezone.now() + timedelta(days=1),
        )
        for _ in range(count)
    )


def manage(*command: str) -> None:
    said = io.StringIO()
    try:
        call_command(*command, stdout=said, stderr=said)
        status = 0
    except CommandError as error:
        status = error.returncode
        said.write(str(error))
    print(json.dumps([status, said.getvalue()]), flush=True)


def manage_beside_a_site(*command: str) -> None:
    stop = Event()
    heart = start_heartbeat(stop)
    while not Pulse.objects.exists():
        sleep(0.1)
    manage(*command)
    stop.set()
    heart.join()


WAYS = {
    "open": open_tables,
    "move": move,
    "tell": tell,
    "live": live,
    "rows": rows,
    "guests": guests,
    "crowd": crowd,
    "manage": manage,
    "manage_beside_a_site": manage_beside_a_site,
}

if __name__ == "__main__":
    for line in sys.stdin:
        way, *arguments = json.loads(line)
        # The database may have been replaced since, so drop all that is cached.
        forget_all()
        ContentType.objects.clear_cache()
        try:
            WAYS[way](*arguments)
        finally:
            connections.close_all()
        print(flush=True)
