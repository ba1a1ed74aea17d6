"""Runs beside a site: rounds in which several callers compete for one thing at the same instant.

Real threads play them, each with its own database connection, through the services that views
and tasks call. This module changes settings, so it needs a process of its own.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from secrets import token_hex
from threading import Barrier

from django.conf import settings

from accounts.models import User
from games.models import Pace, Seat, Table, Terms
from games.rules.actions import Action, Vote
from games.rules.components import Ballot
from games.rules.legality import IllegalAction, legal_actions
from games.services import outages, play, tables
from games.state import rooms
from games.state.positions import Position, position_of
from games.wording.refusals import Refusal, Refused

# More than the ten players of a full table at once.
THREADS = 12
IDENTICAL = 50
INSTANT = timedelta(microseconds=1)

# The contest is about locks; hints and alarms are out of its scope.
settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
settings.PACE_SCALE = 100.0
# Rounds pass future deadlines as `now`, while the site's pulse carries the real time, so the site
# would seem to be away.
outages.is_away = lambda now: False


class Contest:
    def __init__(self, seed: str) -> None:
        self.rng = random.Random(seed)
        self.pool = ThreadPoolExecutor(THREADS)
        # The site keeps the people of an earlier run with the same seed.
        run = token_hex(4)
        self.people = [_person(f"{run} {letter}") for letter in "abcdefg"]
        self.problems: list[str] = []
        self.kinds: Counter[str] = Counter()
        self.table = self._new_table()

    def round(self) -> None:
        # Keep all players from becoming away: the clock would move for them within a round.
        Seat.objects.filter(table=self.table).update(times_late=0, is_away=False)
        # That update bypassed the services, so the table has no new version: drop the cached rooms.
        rooms.forget_all()
        position = _position(self.table)
        if position.state.outcome is not None:
            self.table = self._new_table()
            position = _position(self.table)
        choices: dict[str, int] = {"two_pages": 4, "person_and_clock": 4, "identical": 1, "seat": 1}
        unseen = [kind for kind in choices if not self.kinds[kind]]
        kind = (unseen or self.rng.choices(list(choices), list(choices.values())))[0]
        self.kinds[kind] += 1
        problem = getattr(self, f"_{kind}")(position)
        if problem:
            self.problems.append(f"{kind} at {self.table} {position.state.decision}: {problem}")

    # Kinds of rounds --------------------------------------------------------------------------

    def _two_pages(self, position: Position) -> str:
        """Let two pages of one seat ask for different actions; in an election, all players vote."""
        if len(position.state.to_act) > 1:
            calls = [
                self._move(position, Vote(seat, self.rng.choice(list(Ballot))), f"k{seat}")
                for seat in position.state.to_act
            ]
            answers = self._at_once(calls)
            return _only(answers, Counter({"done": len(calls)})) or self._grew(
                position, by=len(calls)
            )
        seat = position.state.to_act[0]
        legal = list(legal_actions(position.state, seat))
        asked = self.rng.sample(legal, 2) if len(legal) > 1 else legal * 2
        answers = self._at_once(
            [self._move(position, action, f"k{number}") for number, action in enumerate(asked)]
        )
        return _one_winner(answers) or self._grew(position, by=1)

    def _person_and_clock(self, position: Position) -> str:
        """Let a player act at the last instant of their time against three calls of the clock."""
        deadline = Table.objects.get(pk=self.table.pk).game.deadline
        assert deadline is not None
        seats = position.state.to_act
        seat = self.rng.choice(seats)
        action = self.rng.choice(list(legal_actions(position.state, seat)))
        person = self._move(position, action, "k", now=deadline - INSTANT)
        clock: Callable[[], object] = lambda: play.settle(self.table.pk, now=deadline)  # noqa: E731
        answers = self._at_once([clock, person, clock, clock])
        if answers[1] not in ("done", "stale", "game_over"):
            return f"the person was told {answers[1]}"
        rows = self._rows(position)
        own = [row for row in rows if row.seat == seat]
        if len(own) != 1 or (own[0].by == "player") != (answers[1] == "done"):
            return f"told {answers[1]}, and kept {[(row.by, row.action) for row in own]}"
        if answers[1] == "done" and len(seats) == 1:
            return self._grew(position, by=1)
        return self._grew(position, by=len(seats))

    def _identical(self, position: Position) -> str:
        """Send one form fifty times."""
        seat = self.rng.choice(position.state.to_act)
        action = self.rng.choice(list(legal_actions(position.state, seat)))
        answers = self._at_once([self._move(position, action, "k")] * IDENTICAL)
        return _only(answers, Counter({"done": IDENTICAL})) or self._grew(position, by=1)

    def _seat(self, position: Position) -> str:
        """Let two users compete for the last seat."""
        table = tables.open_table(
            host=self.people[0], terms=Terms(edition="en", seats_wanted=5, pace=Pace.DAILY)
        )
        for user in self.people[1:4]:
            tables.join_table(table=table, user=user)
        answers = self._at_once(
            [
                lambda user=user: tables.join_table(table=table, user=user)
                for user in self.people[4:6]
            ]
        )
        seated = table.seats.count()
        tables.close_table(table=table, user=self.people[0])
        if seated != 5:
            return f"{seated} sit on 5 seats"
        return _only(answers, Counter({"done": 1, "full": 1}))

    # Running a round --------------------------------------------------------------------------

    def _at_once(self, calls: Sequence[Callable[[], object]]) -> list[str]:
        hands = min(len(calls), THREADS)
        barrier = Barrier(hands)

        def run(number: int) -> list[tuple[int, str]]:
            barrier.wait(timeout=60)
            return [(index, _told(calls[index])) for index in range(number, len(calls), hands)]

        told = dict(pair for pairs in self.pool.map(run, range(hands)) for pair in pairs)
        return [told[index] for index in range(len(calls))]

    def _move(self, at: Position, action: Action, key: str, **when: object) -> Callable[[], object]:
        user = self.seated[action.seat]
        return lambda: play.act(
            table=self.table,
            user=user,
            action=action,
            decision=at.state.decision,
            key=f"{at.length}{key}",
            **when,
        )

    def _rows(self, since: Position) -> list[object]:
        game = Table.objects.get(pk=self.table.pk).game
        return list(game.actions.filter(number__gte=since.length).order_by("number"))

    def _grew(self, before: Position, *, by: int) -> str:
        rows = self._rows(before)
        numbers = [row.number for row in rows]
        if numbers != list(range(before.length, before.length + by)):
            return f"the log grew by {numbers}, not by {by}"
        after = _position(self.table)
        return "" if after.length == before.length + by else f"its length is {after.length}"

    def _new_table(self) -> Table:
        table = tables.open_table(host=self.people[0], terms=Terms(edition="en", seats_wanted=5))
        for user in self.people[1:5]:
            tables.join_table(table=table, user=user)
        tables.start_game(table=table, user=self.people[0])
        self.seated = [seat.user for seat in table.seats.order_by("number")]
        return Table.objects.get(pk=table.pk)


def _told(call: Callable[[], object]) -> str:
    try:
        call()
    except Refused as refused:
        return refused.refusal.value
    except IllegalAction as illegal:
        return f"illegal: {illegal.reason}"
    except Exception as error:
        # Users would see this as a server error.
        return f"{type(error).__name__}: {error}"
    return "done"


def _one_winner(answers: list[str]) -> str:
    lost = Counter(answers) - Counter({"done": 1})
    if answers.count("done") == 1 and set(lost) <= {Refusal.STALE.value, Refusal.GAME_OVER.value}:
        return ""
    return f"told {answers}"


def _only(answers: list[str], wanted: Counter[str]) -> str:
    return "" if Counter(answers) == wanted else f"told {dict(Counter(answers))}"


def _position(table: Table) -> Position:
    return position_of(Table.objects.get(pk=table.pk).game)


def _person(name: str) -> User:
    user = User(username=name)
    user.set_unusable_password()
    user.save()
    return user


def answer(rounds: int, seed: str) -> dict[str, object]:
    contest = Contest(seed)
    for _ in range(rounds):
        contest.round()
    return {"rounds": rounds, "kinds": contest.kinds, "problems": contest.problems[:20]}
