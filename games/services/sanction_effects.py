"""What a sanction changes at tables: the user leaves open tables and is away in running games."""

import logging
from functools import partial
from typing import Protocol

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from accounts.moderation.sanctions import is_shut_out, may_enter, standing
from accounts.services.signals import accounts_of_same_person
from games.models import Sat, Substitute, Table
from games.services import play, substitutes, tables
from games.services.announcements import announce_table, announce_viewer_settings
from games.wording.refusals import Refused

logger = logging.getLogger(__name__)


class _Leaving(Protocol):
    def __call__(self, *, table: Table, user: User) -> None: ...


def apply_sanctions(user: User) -> None:
    """Apply a change of the user's standing to their sockets and tables.

    Open sockets reconnect with the new permissions. The user leaves tables where they may not play.
    In running games of a user who is shut out, a stand-in plays at once, marked as such, until the
    user returns.

    Each table has its own transaction; a failure at one does not stop the others.
    """
    now = timezone.now()
    if may_enter(user, now):
        # Users who may not enter lose their sockets for good, through games.live.sessions.
        announce_viewer_settings(user.pk)
    if is_shut_out(user, now):
        which = Q()
    elif standing(user, now).unrated:
        which = Q(is_rated=True)
    else:
        return
    for table in Table.objects.filter(which, stage=Table.Stage.OPEN, seats__user=user):
        _try(table, user, partial(tables.leave_table, when_frozen=True))
    listed = Substitute.objects.filter(user=user).values("table")
    for table in Table.objects.filter(which, pk__in=listed):
        _try(table, user, partial(substitutes.leave_list, when_frozen=True))
    if is_shut_out(user, now):
        begun = (Table.Stage.SEALING, Table.Stage.RUNNING)
        for table in Table.objects.filter(stage__in=begun, seats__user=user):
            _try(table, user, go_away)


def codes_in_play(reader: User) -> set[str]:
    """Return the codes of running games in which this person plays or played, with any account.

    Players learn what moderators do there when the game ends, and moderators who play must not
    learn it earlier.
    """
    accounts = {reader.pk, *accounts_of_same_person(reader.pk)}
    sat = Sat.objects.filter(user__in=accounts).values("table")
    running = Table.objects.filter(stage=Table.Stage.RUNNING, pk__in=sat)
    return set(running.values_list("code", flat=True))


def go_away(*, table: Table, user: User) -> None:
    """Mark the user's seat in a game that has begun as away: a stand-in plays for it."""
    if _goes_before_the_cards(table, user):
        return
    with play.locked_game_at(table, when_frozen=True) as locked_game:
        for seat in list(locked_game.seats):
            if seat.user_id == user.pk and not seat.is_away:
                locked_game.to_change(seat).is_away = True
        locked_game.set_alarms(is_new_decision=False)


def _goes_before_the_cards(table: Table, user: User) -> bool:
    """Mark the seat as away while the cards are being dealt; a seat is not left any more then.

    Return whether the table still waits for browsers.
    """
    with transaction.atomic():
        locked = Table.objects.select_for_update().get(pk=table.pk)
        if locked.stage != Table.Stage.SEALING:
            return False
        locked.seats.filter(user=user).update(is_away=True)
        locked.version += 1
        locked.save(update_fields=["version"])
        announce_table(locked)
    return True


def _try(table: Table, user: User, what: _Leaving) -> None:
    try:
        what(table=table, user=user)
    except Refused:
        # The game has begun or ended meanwhile.
        logger.info("table %s needs nothing of account %s any more", table.code, user.pk)
    except Exception:
        # An error must not keep the user at the other tables.
        logger.exception("table %s could not be left by account %s", table.code, user.pk)
