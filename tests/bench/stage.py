"""People, sessions and running tables, made in the database so that a thousand take seconds.

Needs Django set up, in a process that has no server in it.
"""

from dataclasses import dataclass
from importlib import import_module

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User
from games.models import Game, GameAction, Pace, Seat, Table
from games.positions import position_of
from games.rules.record import action_json
from games.services import tables
from tests.bench.plan import EDITION, Move, Plan, plan_game

# A browser that has been here before. Not masked, and accepted all the same.
CSRF_TOKEN = "b" * 32


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is signed in: their number, account, and what their browser sends."""

    number: int
    pk: int
    name: str
    cookie: str

    @property
    def address(self) -> str:
        """Their own place on the loopback: limits by address are not what is measured."""
        return f"127.{1 + self.number // 62500}.{self.number // 250 % 250}.{1 + self.number % 250}"


@dataclass(frozen=True, slots=True)
class StagedTable:
    """A running table: who sits and who watches, and the moves that are left."""

    code: str
    seated: tuple[Person, ...]
    spectators: tuple[Person, ...]
    moves: tuple[Move, ...]

    @property
    def viewers(self) -> tuple[Person, ...]:
        return self.seated + self.spectators


class Stage:
    """Hands out people and tables; everybody sits or watches at one table at a time."""

    def __init__(self) -> None:
        self._people: list[Person] = []
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
        """`count` running tables with `moves` moves left at the least.

        They stand at all stages of a game, evenly; or all at `forward`, from 0 (just dealt) to
        1 (as far on as `moves` allow).
        """
        plans = [
            plan_game(self._tables + i, players, max(200 if players == 10 else 0, moves))
            for i in range(count)
        ]
        self._tables += count
        each = players + spectators
        people = self._crowd(count * each)
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

    def _crowd(self, count: int) -> list[Person]:
        missing = range(len(self._people), count)
        if missing:
            self._people += _sign_up(missing)
        return self._people[:count]


def _sign_up(numbers: range) -> list[Person]:
    users = []
    for number in numbers:
        user = User(username=f"Person {number}")
        user.set_unusable_password()
        # `bulk_create` does not call `save`, which does it.
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
    """A public table whose clock strikes in hours: nobody is late, and anybody may watch."""
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
    """The first moves of the plan, as if they had been played."""
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
