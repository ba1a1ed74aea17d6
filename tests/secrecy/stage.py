"""The stage: a table in the database that is put into one world after another.

What is held still, and why that hides no leak:

- The clock (`time.time` and `timezone.now`) stands still or advances by the moves' ticks. Both
  worlds have the same moments; response times are not compared here.
- `SealedChance` deals each world's own cards for that world's seed. The seal's hash cannot be
  inverted, so no seed can be computed for a given deal. Code that reads the seed's bytes or the
  deal reads those of its world.
- `Table.commitment` is one constant. It is SHA-256 of 32 random bytes and public on purpose: it
  differs with the seed, binds the server to it, and says nothing about the deal to anyone who
  cannot invert SHA-256. The seeds of a pair always differ, so any *other* value that is computed
  from a seed is caught.
- The form for a new table has a key that is random in every answer and depends on no table.
- The CSRF token is not masked. The mask is random in every answer; the token is the browser's.
- Row ids, versions and lengths are not held still: they differ wherever a world has more replaced
  ballots, as they would in production.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from celery import Celery
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.db import connection, transaction
from django.middleware import csrf
from django.template.base import Template
from django.test import RequestFactory
from django.test.utils import _TestState
from django.utils import timezone

from accounts.auth.devices import note_use
from accounts.models import User
from accounts.site.switches import forget_switches
from games import bots, panels
from games.forms import opening
from games.models import Game, GameAction, PreparedSeed, Seat, Table, Visibility
from games.rules.chance import Deal, SealedChance, commitment_to
from games.rules.components import Policy
from games.rules.editions import Options
from games.rules.phases import Phase
from games.rules.record import action_json
from games.state import positions
from tests.builders.person import Person
from tests.builders.tables import NAMES, contribution
from tests.second_factor import with_second_factor
from tests.secrecy.histories import History, Move, World

BEGINNING = datetime(2031, 5, 17, 12, tzinfo=UTC)
COMMITMENT = commitment_to(bytes(32))
# Far enough apart that the actions of replaced ballots have ids of their own.
_IDS_APART = 10_000


class Clock:
    """The clock of all worlds: it stands still until it is set."""

    def __init__(self) -> None:
        self.now = BEGINNING

    def at_tick(self, tick: int) -> datetime:
        self.now = BEGINNING + timedelta(seconds=tick + 1)
        return self.now


CLOCK = Clock()
_dealt: dict[bytes, World] = {}
_real_deal, _real_reshuffle = SealedChance.deal, SealedChance.reshuffle


def _deal(self: SealedChance, options: Options, players: int) -> Deal:
    world = _dealt.get(self._key)
    return _real_deal(self, options, players) if world is None else world.deal


def _reshuffle(self: SealedChance, number: int, cards: Sequence[Policy]) -> tuple[Policy, ...]:
    world = _dealt.get(self._key)
    if world is None:
        return _real_reshuffle(self, number, cards)
    return world.piles.reshuffle(number, cards)


@contextmanager
def held_still() -> Iterator[pytest.MonkeyPatch]:
    """Hold everything still that is random by nature: see the module's docstring."""
    with pytest.MonkeyPatch.context() as patch:
        CLOCK.now = BEGINNING
        patch.setattr(time, "time", lambda: CLOCK.now.timestamp())
        patch.setattr(timezone, "now", lambda: CLOCK.now)
        patch.setattr(SealedChance, "deal", _deal)
        patch.setattr(SealedChance, "reshuffle", _reshuffle)
        patch.setattr(Table, "commitment", COMMITMENT)
        # The test runner stores every template's context, which takes a third of the time here.
        patch.setattr(Template, "_render", _TestState.saved_data.template_render)
        # Tasks would go to a worker that does not run here.
        patch.setattr(Celery, "send_task", lambda *args, **kwargs: None)
        patch.setattr(opening, "new_key", lambda: "k")
        patch.setattr(csrf, "_mask_cipher_secret", lambda secret: secret)
        # Every page then reads the switches from the database, however much time has passed.
        forget_switches()
        patch.setattr("accounts.site.switches.monotonic", lambda: 0.0)
        try:
            yield patch
        finally:
            _dealt.clear()
            forget_switches()


def forget() -> None:
    """Clear what this process remembers of games, as if it had just started."""
    positions.forget_all()
    panels.forget_all()
    cache.clear()
    ContentType.objects.clear_cache()


class Cast:
    """The users: ten players and the onlookers, created once. Each has one browser."""

    def __init__(self) -> None:
        self.players = [_account(name) for name in NAMES]
        self.spectator = _account("Sofia")
        self.moderator = with_second_factor(_account("Mona", is_staff=True, is_superuser=True))
        people = [*self.players, self.spectator, self.moderator, None]
        for user in people[:-1]:
            # The first visit to the lobby makes the seed of their next table.
            PreparedSeed.objects.create(user=user)
        self._browsers = {_key(user): Person(user, Table()) for user in people}
        # The stranger is a returning visitor too: a new session's key would be random.
        self._browsers[None].client.session.save()
        for user in people[:-1]:
            self._take_part(user)

    def _take_part(self, user: User) -> None:
        """Take part once: the first time, a session's address and device are noted."""
        request = RequestFactory().post("/join/")
        request.user, request.session = user, self._browsers[_key(user)].client.session
        note_use(request)
        request.session.save()

    def browser(self, user: User | None) -> Person:
        return self._browsers[_key(user)]


def _key(user: User | None) -> int | None:
    return None if user is None else user.pk


def _account(name: str, **fields: Any) -> User:
    user = User(username=name, date_joined=BEGINNING, **fields)
    user.set_unusable_password()
    user.save()
    return user


class Stage:
    """A table with the players of one history, which can be put into its worlds."""

    def __init__(self, cast: Cast, history: History, rng: Random, pace: str = "normal") -> None:
        self.cast = cast
        self.history = history
        is_private = rng.random() < 0.25
        self.users = [
            None if is_bot else user
            for user, is_bot in zip(cast.players, history.bots, strict=False)
        ]
        with transaction.atomic():
            self.table = Table.objects.create(
                code="".join(rng.choices("23456789abcdefghijk", k=8)),
                stage=Table.Stage.RUNNING,
                host=self.users[0],
                edition=history.edition,
                house_rules=history.house_rules,
                seats_wanted=history.players,
                pace=pace,
                visibility=Visibility.PRIVATE if is_private else Visibility.PUBLIC,
                invitation=f"invitation-{rng.randrange(10**9)}",
            )
            Seat.objects.bulk_create(
                Seat(
                    table=self.table,
                    number=number,
                    user=user,
                    bot="" if user else bots.HEIR,
                    name=user.username if user else f"Otto {number}",
                    contribution=contribution(number),
                    is_away=history.away[number],
                    times_late=2 if history.away[number] else 0,
                )
                for number, user in enumerate(self.users)
            )
            self.game = Game.objects.create(table=self.table, players=history.players)
        self.contributions = [contribution(number) for number in range(history.players)]
        self.seats = list(self.table.seats.values())
        self.ids = _IDS_APART * (1 + rng.randrange(1000))

    def browser_of(self, viewer: int | str) -> Person:
        """Return the browser of a seat, or of the spectator, the moderator or a stranger."""
        user = (
            self.users[viewer]
            if isinstance(viewer, int)
            else {
                "spectator": self.cast.spectator,
                "moderator": self.cast.moderator,
                "stranger": None,
            }[viewer]
        )
        browser = self.cast.browser(user)
        browser.table = self.table
        return browser

    def enter(self, world: World, tick: int) -> None:
        """Put the table into this world at this tick, and clear what is remembered of another."""
        moves = world.until(tick)
        _dealt.clear()
        _dealt[SealedChance(world.seed, self.contributions)._key] = world
        deadline = BEGINNING + timedelta(days=2)
        with transaction.atomic():
            GameAction.objects.filter(game=self.game)._raw_delete("default")
            GameAction.objects.bulk_create(self._rows(moves))
            Table.objects.filter(pk=self.table.pk).update(
                seed=world.seed, version=10 + len(moves), stage=Table.Stage.RUNNING
            )
            Game.objects.filter(pk=self.game.pk).update(
                length=len(moves),
                deadline=deadline,
                bot_moves_at=None,
                wakes_at=deadline,
                started_at=BEGINNING,
                ended_at=None,
                winner="",
                ending="",
            )
            if list(self.table.seats.values()) != self.seats:
                Seat.objects.bulk_update(
                    [Seat(**seat) for seat in self.seats], ["is_away", "times_late"]
                )
        CLOCK.at_tick(tick)
        forget()

    def _rows(self, moves: Sequence[Move]) -> Iterator[GameAction]:
        for number, move in enumerate(moves):
            yield GameAction(
                pk=self.ids + number,
                game=self.game,
                number=number,
                seat=move.action.seat,
                action=action_json(move.action),
                by=move.by,
                key=f"k{number}",
                at=CLOCK.at_tick(move.tick),
            )

    def strike(self) -> None:
        """Delete the table."""
        with transaction.atomic(), connection.cursor() as cursor:
            GameAction.objects.filter(game=self.game)._raw_delete("default")
            for model in (Game, Seat):
                model.objects.filter(table=self.table)._raw_delete("default")
            cursor.execute("DELETE FROM games_table WHERE id = %s", [self.table.pk])


def is_voting(history: History, tick: int) -> bool:
    return history.states[tick].phase is Phase.ELECTION
