"""What becomes of a guest's seats when the guest signs in to an account."""

import logging
from functools import partial

from django.db import transaction

from accounts.models import User
from games.models import LIVE_STAGES, Sat, Seat, Substitute, Table
from games.moderation.case_access import refuse_judge
from games.services import chat, game_requests, play, substitutes, tables
from games.services.announcements import announce_table
from games.services.bot_seats import rename_bot
from games.services.hosting import refuse_kicked
from games.services.joining import check_games_few, check_may_join, check_standing
from games.services.locked_tables import lock_gathering_table, save_changes
from games.services.same_person import refuse_seat
from games.services.sanction_effects import go_away
from games.wording.refusals import Refusal, Refused

logger = logging.getLogger(__name__)


def hand_over_seats(*, guest: User, user: User) -> None:
    """Give the guest's seats to `user`, and free those that `user` may not have.

    It is the same person, who knows what the seat knows. Once the cards are dealt the seat keeps
    its name, and a seat that is not handed over is played by a stand-in.
    """
    _try(partial(game_requests.withdraw, user=guest))
    for row in Substitute.objects.filter(user=guest).select_related("table"):
        _try(partial(substitutes.leave_list, table=row.table, user=guest, when_frozen=True))
    for table in Table.objects.filter(stage__in=LIVE_STAGES, seats__user=guest):
        # The deal or the game may begin meanwhile.
        for hand_over in (_hand_over_open, _hand_over_dealt, _hand_over_in_game, _leave):
            if _try(partial(hand_over, table, guest, user)):
                break


def _try(what: partial[None]) -> bool:
    try:
        with transaction.atomic():
            what()
    except Refused:
        return False
    except Exception:
        # An error must cost neither the sign-in nor the other seats.
        logger.exception("a guest's seat was not handed over")
        return False
    return True


def _hand_over_open(table: Table, guest: User, user: User) -> None:
    """Raises Refused, also once the deal has begun."""
    locked, seats = lock_gathering_table(table, when_frozen=True)
    if locked.host_id != guest.pk:
        check_may_join(table=locked, user=user)
    _check(locked, guest, user)
    if not locked.is_blind:
        rename_bot(seats, user.username)
    for seat in seats:
        if seat.user_id == guest.pk:
            _give(seat, user, name=seat.name if locked.is_blind else user.username)
    if locked.host_id == guest.pk:
        locked.host = user
    save_changes(locked)


def _hand_over_dealt(table: Table, guest: User, user: User) -> None:
    """Hand over while the cards are dealt. Raises Refused, also before and after that."""
    locked = Table.objects.select_for_update().get(pk=table.pk)
    if locked.stage != Table.Stage.SEALING:
        raise Refused(Refusal.STALE)
    _check(locked, guest, user)
    for seat in locked.seats.filter(user=guest):
        _give(seat, user, name=seat.name)
    if locked.host_id == guest.pk:
        locked.host = user
    locked.version += 1
    locked.save(update_fields=["host", "version"])
    announce_table(locked)


def _hand_over_in_game(table: Table, guest: User, user: User) -> None:
    """Raises Refused, also before the game."""
    with play.locked_game_at(table, when_frozen=True) as locked_game:
        _check(locked_game.table, guest, user)
        for seat in list(locked_game.seats):
            if seat.user_id == guest.pk:
                _give(locked_game.to_change(seat), user, name=seat.name)
        if locked_game.table.host_id == guest.pk:
            locked_game.table.host = user
        locked_game.note_table_change()


def _leave(table: Table, guest: User, user: User) -> None:
    if Table.objects.get(pk=table.pk).stage == Table.Stage.OPEN:
        tables.leave_table(table=table, user=guest, when_frozen=True)
    else:
        go_away(table=table, user=guest)


def _check(table: Table, guest: User, user: User) -> None:
    """Raise Refused if `user` may not have a seat that only the guest has had."""
    if Sat.objects.filter(table=table, user=user).exists():
        raise Refused(Refusal.HAS_SAT)
    refuse_kicked(table=table, user=user)
    refuse_judge(user=user, table=table)
    chat.refuse_gallery_member(table=table, user=user)
    refuse_seat(table=table, user=user, besides=guest.pk)
    check_standing(table=table, user=user)
    check_games_few(user)


def _give(seat: Seat, user: User, name: str) -> None:
    Sat.objects.filter(table=seat.table_id, user=seat.user_id).delete()
    seat.user, seat.name = user, name
    # This also records in `Sat` that the user sits here.
    seat.save(update_fields=["user", "name"])
