"""Runs beside a site: makes tables without moves, and records when the clock moves for players.

`make` {"count", "pace", "bots"} opens and starts tables of people who do not move, or of one such
person and bots. `follow` {"count", "folder"} makes some and returns, for each move that fell due by
itself, when it was due and when it was made. It creates the file `begun` in the folder, and goes on
until a file `end` exists there. `age` {"seconds"} shifts deadlines and the site's pulse as if that
much time had passed. `state` {"codes"} returns the state of tables.
"""

import time
from datetime import timedelta
from pathlib import Path

from django.db import connection, transaction
from django.db.models import F

from accounts.models import User
from games.models import Game, GameAction, Pace, Pulse, Table, Terms
from games.services import tables


def make(count: int, pace: str = "blitz", bots: bool = False) -> list[str]:
    people = []
    for number in range(1 if bots else 5):
        user, _ = User.objects.get_or_create(username=f"idle {pace} {bots} {number}")
        people.append(user)
    codes = []
    for _ in range(count):
        table = tables.open_table(
            host=people[0], terms=Terms(edition="en", seats_wanted=5, pace=Pace(pace))
        )
        for user in people[1:]:
            tables.join_table(table=table, user=user)
        if bots:
            tables.fill_with_bots(table=table, user=people[0])
        tables.start_game(table=table, user=people[0])
        codes.append(table.code)
    return codes


def follow(count: int, folder: str) -> list[tuple[float, float]]:
    """Return (due, made) of every move of the clock and of stand-ins, in seconds since 1970."""
    codes = make(count)
    moves = []
    known: dict[int, tuple[int, object]] = {}
    Path(folder, "begun").touch()
    while not Path(folder, "end").exists():
        try:
            games = list(
                Game.objects.filter(table__code__in=codes).values_list("pk", "length", "wakes_at")
            )
            for pk, length, wakes_at in games:
                before = known.get(pk)
                if before and before[0] < length and before[1] is not None:
                    row = GameAction.objects.get(game=pk, number=before[0])
                    moves.append((before[1].timestamp(), row.at.timestamp()))  # type: ignore[attr-defined]
                known[pk] = (length, wakes_at)
        finally:
            connection.close()
        time.sleep(0.05)
    return moves


def age(seconds: float) -> None:
    past = timedelta(seconds=seconds)
    with transaction.atomic():
        Pulse.objects.update(at=F("at") - past)
        Game.objects.update(
            deadline=F("deadline") - past,
            bot_moves_at=F("bot_moves_at") - past,
            wakes_at=F("wakes_at") - past,
        )


def state(codes: list[str]) -> dict[str, object]:
    return {
        table.code: {
            "stage": table.stage,
            "length": table.game.length,
            "version": table.version,
            "deadline": table.game.deadline and table.game.deadline.timestamp(),
            "lost": [outage.lost.total_seconds() for outage in table.interruptions.all()],
        }
        for table in Table.objects.filter(code__in=codes).select_related("game")
    }


def answer(work: str, **question: object) -> object:
    works = {"make": make, "follow": follow, "age": age, "state": state}
    return works[work](**question)  # type: ignore[operator]
