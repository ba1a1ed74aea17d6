"""What a sanction changes at the tables: who waits gets up, who plays is away."""

import logging
from typing import Protocol

from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from accounts.sanctions import is_shut_out, may_enter, standing
from games.models import Sat, Substitute, Table
from games.refusals import Refused
from games.services import play, substitutes, tables
from games.services.live import announce_wishes

logger = logging.getLogger(__name__)


class _Leaving(Protocol):
    def __call__(self, *, table: Table, user: User) -> None: ...


def standing_follow(user: User) -> None:
    """After a change of somebody's standing: open sockets come back with what holds now; tables
    where they may not play are left, and at running games a stand-in plays for who is shut out,
    at once and marked as ever, until they come back.

    Table by table, each in a transaction of its own; one that fails does not keep the others.
    """
    now = timezone.now()
    if may_enter(user, now):
        # Whoever may not enter loses the sockets for good: games.sessions says so.
        announce_wishes(user.pk)
    if is_shut_out(user, now):
        which = Q()
    elif standing(user, now).unrated:
        which = Q(is_rated=True)
    else:
        return
    for table in Table.objects.filter(which, stage=Table.Stage.OPEN, seats__user=user):
        _try(table, user, tables.leave_table)
    listed = Substitute.objects.filter(user=user).values("table")
    for table in Table.objects.filter(which, pk__in=listed):
        _try(table, user, substitutes.leave_list)
    if is_shut_out(user, now):
        for table in Table.objects.filter(stage=Table.Stage.RUNNING, seats__user=user):
            _try(table, user, _go_away)


def codes_in_play(reader: User) -> set[str]:
    """The tables with a running game at which this person plays or played: what moderators do
    there they learn at its end, like everybody at the table."""
    sat = Sat.objects.filter(user=reader).values("table")
    running = Table.objects.filter(stage=Table.Stage.RUNNING, pk__in=sat)
    return set(running.values_list("code", flat=True))


def _go_away(*, table: Table, user: User) -> None:
    with play.sitting_at(table) as sitting:
        for seat in list(sitting.seats):
            if seat.user_id == user.pk and not seat.is_away:
                sitting.to_change(seat).is_away = True
        sitting.set_alarms(is_new_decision=False)


def _try(table: Table, user: User, what: _Leaving) -> None:
    try:
        what(table=table, user=user)
    except Refused:
        # It has begun, or ended, since.
        logger.info("table %s needs nothing of account %s any more", table.code, user.pk)
    except Exception:
        # The other tables of whoever is shut out must be left all the same.
        logger.exception("table %s could not be left by account %s", table.code, user.pk)
