"""Games of people that become puzzles: only with the consent of all people who played.

A puzzle has the players' moves and claims, and neither their names nor the times.
"""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from games.models import (
    Message,
    Motion,
    Puzzle,
    PuzzleConsent,
    Ruling,
    Seat,
    Table,
    Visibility,
    revealed_seal,
)
from games.rules.record import action_json
from games.state.positions import position_of
from games.state.puzzles import PLAYERS, is_solvable, puzzle_room
from games.state.rooms import Room, room_with, with_talk

# Bots may have a few of the seats.
_LEAST_PEOPLE: Final = 5
# How old a game may be, and how many of them are looked at in one night.
_RECENT: Final = timedelta(days=60)
_LOOKED_AT: Final = 40


def set_consent(*, user: User, is_given: bool) -> None:
    """Allow or forbid that the user's games become puzzles.

    Taking it back takes the games out of puzzles of days to come; a puzzle that was shown stays.
    """
    with transaction.atomic():
        if is_given:
            PuzzleConsent.objects.get_or_create(user=user)
        elif PuzzleConsent.objects.filter(user=user).delete()[0]:
            today = timezone.now().date()
            Puzzle.objects.filter(day__gt=today, table__seats__user=user).delete()


def forget_consent(user: User) -> None:
    """Take the games of an account that is deleted out of puzzles of days to come."""
    set_consent(user=user, is_given=False)


def consent_of(user: User) -> dict[str, Any]:
    """Return since when this user's games may become puzzles, for the data export."""
    consent = PuzzleConsent.objects.filter(user=user).first()
    return {"games_allowed_since": None if consent is None else consent.given_at}


def has_consented(user: User) -> bool:
    return PuzzleConsent.objects.filter(user=user).exists()


def game_for(day: date, now: datetime | None = None) -> tuple[Table, Mapping[str, Any]] | None:
    """Return a game of people that is a good puzzle and was none before, if there is one."""
    for table in _candidates(now or timezone.now())[:_LOOKED_AT]:
        room = room_with(table.pk)
        if room is None or room.game is None:
            continue
        game = _game_of(with_talk(room))
        if is_solvable(puzzle_room(game, day)):
            return table, game
    return None


def _candidates(now: datetime) -> QuerySet[Table]:
    unwilling = Seat.objects.filter(table=OuterRef("pk"), bot="").filter(
        Q(user=None) | Q(user__puzzle_consent=None)
    )
    # Someone who left the game was not asked.
    replaced = (
        Motion.objects.filter(
            table=OuterRef("pk"), kind=Motion.Kind.REPLACE, outcome=Motion.Outcome.PASSED
        ),
        Ruling.objects.filter(table=OuterRef("pk"), kind=Ruling.Kind.REPLACE),
    )
    return (
        Table.objects.filter(
            stage=Table.Stage.OVER,
            visibility=Visibility.PUBLIC,
            spectators=True,
            house_rules={},
            game__stopped="",
            game__players=PLAYERS,
            game__ended_at__gt=now - _RECENT,
            puzzles=None,
        )
        .exclude(game__winner="")
        .exclude(Exists(unwilling))
        .exclude(Exists(replaced[0]))
        .exclude(Exists(replaced[1]))
        .annotate(people=Count("seats", filter=Q(seats__bot="")))
        .filter(people__gte=_LEAST_PEOPLE)
        .order_by("-game__ended_at", "pk")
    )


def _game_of(room: Room) -> Mapping[str, Any]:
    """Return the game in the format of `games.state.puzzles`."""
    table, game = room.table, room.game
    assert game is not None
    return {
        "edition": table.edition,
        "players": game.players,
        # Only the names are drawn from it.
        "seed": f"people {table.commitment}",
        "seal": {
            "seed": bytes(table.seed).hex(),
            "contributions": list(revealed_seal(table, room.seats).contributions),
        },
        "actions": [action_json(step.action) for step in position_of(game).steps],
        "claims": [
            {"after": said.length, "claim": said.data}
            for said in room.talk
            if said.kind == Message.Kind.CLAIM
            and not said.is_removed
            and 0 < said.length < game.length
        ],
    }
