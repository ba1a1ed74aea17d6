"""Vacations: a player's clock stands still at tables of one day per move.

The table sees until which day. At a blind table the clock runs on: two seats at two tables that
pause at the same moment would show who sits there.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import Pace, Table, Vacation
from games.services import play
from games.wording.refusals import Refusal, Refused

# Days of vacation within any year.
DAYS_A_YEAR: Final = 14
_YEAR: Final = timedelta(days=365)


def running_of(user: User, now: datetime) -> Vacation | None:
    return Vacation.objects.filter(user=user, ends_at__gt=now).first()


def days_left(user: User, now: datetime) -> int:
    """Return how many whole days the user has left of the past year's."""
    spent = timedelta()
    for each in Vacation.objects.filter(user=user, ends_at__gt=now - _YEAR):
        spent += each.ends_at - max(each.starts_at, now - _YEAR)
    return max(0, (timedelta(days=DAYS_A_YEAR) - spent).days)


def begin_vacation(*, user: User, days: int, now: datetime | None = None) -> None:
    """Stop the user's clock for `days`. Raises Refused: ON_VACATION or VACATION_SPENT."""
    now = now or timezone.now()
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if running_of(user, now) is not None:
            raise Refused(Refusal.ON_VACATION)
        if not 1 <= days <= days_left(user, now):
            raise Refused(Refusal.VACATION_SPENT)
        ends_at = now + timedelta(days=days)
        Vacation.objects.create(user=user, starts_at=now, ends_at=ends_at)
    _mark_seats(user, ends_at, now)


def end_vacation(*, user: User, now: datetime | None = None) -> None:
    """Let the user's clock run again. Does nothing without a vacation."""
    now = now or timezone.now()
    if Vacation.objects.filter(user=user, ends_at__gt=now).update(ends_at=now):
        _mark_seats(user, None, now)


def _mark_seats(user: User, until: datetime | None, now: datetime) -> None:
    """Set until when the user's seats pause, and move the deadlines that wait for them."""
    tables = Table.objects.filter(
        seats__user=user, pace=Pace.DAILY, stage=Table.Stage.RUNNING, is_blind=False
    )
    for table in tables:
        try:
            with play.locked_game_at(table, now, when_frozen=True) as locked_game:
                locked_game.pause_seat(user.pk, until)
        except Refused:
            # The game ended meanwhile.
            continue
