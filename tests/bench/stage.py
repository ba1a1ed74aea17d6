"""Users, sessions and running tables, created directly in the database: a thousand take seconds.

Needs a process with Django set up and no server in it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db import connection, models, transaction
from django.utils import timezone

from accounts.models import User
from games.models import Balance, Game, GameAction, Pace, Seat, Table, Visibility
from games.models.tables import new_code
from games.rules.record import action_json
from games.services import tables
from games.state.positions import position_of
from tests.bench.plan import EDITION, Move, Plan, plan_game

# The CSRF cookie of a returning browser. It is not masked, which Django accepts too.
CSRF_TOKEN = "b" * 32
# The numbers of people start here; those who sit at tables have lower ones.
_FIRST_NEWCOMER = 1_000_000


@dataclass(frozen=True, slots=True)
class Person:
    """A signed-in user: their number, account, and the cookie that their browser sends."""

    number: int
    pk: int
    name: str
    cookie: str

    @property
    def address(self) -> str:
        """A loopback address of their own: limits by address are not what is measured."""
        return f"127.{1 + self.number // 62500}.{self.number // 250 % 250}.{1 + self.number % 250}"


@dataclass(frozen=True, slots=True)
class StagedTable:
    """A running table: its players, its spectators, and its remaining moves."""

    code: str
    seated: tuple[Person, ...]
    spectators: tuple[Person, ...]
    moves: tuple[Move, ...]

    @property
    def viewers(self) -> tuple[Person, ...]:
        return self.seated + self.spectators


class Stage:
    """Hands out users and tables; each user sits or watches at one table at a time."""

    def __init__(self) -> None:
        self._people: list[Person] = []
        self._newcomers = 0
        self._tables = 0

    def set(
        self,
        count: int,
        *,
        moves: int,
        players: int = 10,
        spectators: int = 0,
        forward: float | None = None,
    ) -> list[StagedTable]:
        """Return `count` running tables with at least `moves` moves left.

        They are spread evenly over all stages of a game, or all at `forward`, from 0 (just dealt)
        to 1 (as far on as `moves` allows).
        """
        plans = [
            plan_game(self._tables + i, players, max(200 if players == 10 else 0, moves))
            for i in range(count)
        ]
        self._tables += count
        each = players + spectators
        people = self.crowd(count * each)
        staged = []
        with transaction.atomic():
            for i, plan in enumerate(plans):
                own = people[i * each : (i + 1) * each]
                share = forward if forward is not None else (i / (count - 1) if count > 1 else 0.5)
                done = int((len(plan.moves) - moves) * share)
                code = _table(own[:players], plan, done)
                staged.append(
                    StagedTable(code, tuple(own[:players]), tuple(own[players:]), plan.moves[done:])
                )
        connection.close()
        return staged

    def newcomers(self, count: int) -> list[Person]:
        """Return this many new accounts, which sit at no table."""
        first = _FIRST_NEWCOMER + self._newcomers
        self._newcomers += count
        people = _sign_up(range(first, first + count))
        connection.close()
        return people

    def crowd(self, count: int) -> list[Person]:
        """Return this many people, who are signed in."""
        missing = range(len(self._people), count)
        if missing:
            self._people += _sign_up(missing)
        return self._people[:count]


def unlist(tables: Iterable[StagedTable]) -> None:
    """Take these tables out of the lobby."""
    codes = [table.code for table in tables]
    Table.objects.filter(code__in=codes).update(visibility=Visibility.UNLISTED)
    connection.close()


def seed_quick_games(person: Person, count: int) -> None:
    """Give a person this many running quick games that wait for them: copies of one."""
    user = User.objects.get(pk=person.pk)
    first = tables.quick_game(user=user, edition=EDITION)
    Game.objects.filter(table=first).update(wakes_at=None, bot_moves_at=None)
    game, seats = Game.objects.get(table=first), list(first.seats.all())
    copies = [_copy(first, code=new_code()) for _ in range(count - 1)]
    with transaction.atomic():
        Table.objects.bulk_create(copies, batch_size=100)
        Game.objects.bulk_create([_copy(game, table=copy) for copy in copies], batch_size=100)
        Seat.objects.bulk_create(
            [_copy(seat, table=copy) for copy in copies for seat in seats], batch_size=500
        )
    connection.close()


def leave_nothing_to_do() -> None:
    """Drop the site's own work: balances to count, alarms to ring, and absences to note.

    The people of the stage sit down in the database only, so they would count as away.
    """
    Balance.objects.all().delete()
    Game.objects.filter(wakes_at__isnull=False).update(
        deadline=None, wakes_at=None, bot_moves_at=None, retry_at=None
    )
    Seat.objects.filter(is_connected=True).update(is_connected=False)
    connection.close()


def _copy(row: models.Model, **changes: object) -> Any:
    columns = [column for column in row._meta.concrete_fields if not column.primary_key]
    kept = {column.name: getattr(row, column.name) for column in columns}
    return type(row)(**kept | changes)


def _sign_up(numbers: range) -> list[Person]:
    users = []
    for number in numbers:
        user = User(username=f"Person {number}")
        user.set_unusable_password()
        # `bulk_create` does not call `save`, which sets the keys.
        user.set_keys()
        users.append(user)
    with transaction.atomic():
        User.objects.bulk_create(users, batch_size=200)
        return [
            Person(number, user.pk, user.username, _cookie(user))
            for number, user in zip(numbers, users, strict=True)
        ]


def _cookie(user: User) -> str:
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}; csrftoken={CSRF_TOKEN}"


def _table(people: list[Person], plan: Plan, done: int) -> str:
    """Create a public table with a pace of hours: no player is late, and spectators may watch."""
    table = Table.objects.create(
        host_id=people[0].pk,
        edition=EDITION,
        seats_wanted=len(people),
        pace=Pace.RELAXED,
        seed=plan.seed,
    )
    Seat.objects.bulk_create(
        Seat(
            table=table,
            number=number,
            user_id=person.pk,
            name=person.name,
            contribution=plan.contributions[number],
        )
        for number, person in enumerate(people)
    )
    tables.start_game(table=table, user=User.objects.get(pk=people[0].pk))
    _wind_on(Game.objects.get(table=table), plan, done)
    return table.code


def _wind_on(game: Game, plan: Plan, done: int) -> None:
    """Store the first moves of the plan as if they had been played."""
    now = timezone.now()
    GameAction.objects.bulk_create(
        GameAction(
            game=game,
            number=number,
            seat=move.seat,
            action=action_json(move.action),
            by=GameAction.By.PLAYER,
            key=f"bench {number}",
            at=now,
        )
        for number, move in enumerate(plan.moves[:done])
    )
    game.length = done
    game.save(update_fields=["length"])
    Table.objects.filter(pk=game.table_id).update(version=done + 20)
    state = position_of(Game.objects.get(pk=game.pk)).state
    if state.decision != plan.moves[done].decision:
        raise RuntimeError(f"the table is at {state.decision}, not {plan.moves[done].decision}")
