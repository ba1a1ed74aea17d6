"""What becomes of a guest's seats when the guest signs in to an account."""

from functools import partial

from django.db import transaction

from accounts.models import User
from games.models import LIVE_STAGES, Sat, Seat, Substitute, Table
from games.moderation.case_access import refuse_judge
from games.services import chat, game_requests, play, substitutes, tables
from games.services.hosting import refuse_kicked
from games.services.joining import check_may_join, check_standing
from games.services.locked_tables import lock_gathering_table, save_changes
from games.services.sanction_effects import go_away
from games.wording.refusals import Refusal, Refused


def hand_over_seats(*, guest: User, user: User) -> None:
    """Give the guest's seats to `user`, and free those that `user` may not have.

    It is the same person, who knows what the seat knows. In a running game the seat keeps its
    name, and a seat that is not handed over is played by a stand-in.
    """
    game_requests.withdraw(user=guest)
    for row in Substitute.objects.filter(user=guest).select_related("table"):
        _try(partial(substitutes.leave_list, table=row.table, user=guest, when_frozen=True))
    for table in Table.objects.filter(stage__in=LIVE_STAGES, seats__user=guest):
        gathers = table.stage == Table.Stage.OPEN
        hand_over = _hand_over_before_the_game if gathers else _hand_over_in_the_game
        if not _try(partial(hand_over, table, guest, user)):
            _try(partial(tables.leave_table if gathers else go_away, table=table, user=guest))


def _try(what: partial[None]) -> bool:
    try:
        with transaction.atomic():
            what()
    except Refused:
        return False
    return True


def _hand_over_before_the_game(table: Table, guest: User, user: User) -> None:
    locked, seats = lock_gathering_table(table, when_frozen=True)
    if any(seat.user_id == user.pk for seat in seats):
        raise Refused(Refusal.HAS_SAT)
    refuse_kicked(table=locked, user=user)
    check_may_join(table=locked, user=user)
    check_standing(table=locked, user=user)
    for seat in seats:
        if seat.user_id == guest.pk:
            _give(seat, user, name=seat.name if locked.is_blind else user.username)
    if locked.host_id == guest.pk:
        locked.host = user
    save_changes(locked)


def _hand_over_in_the_game(table: Table, guest: User, user: User) -> None:
    with play.locked_game_at(table, when_frozen=True) as locked_game:
        if Sat.objects.filter(table=table, user=user).exists():
            raise Refused(Refusal.HAS_SAT)
        refuse_kicked(table=table, user=user)
        refuse_judge(user=user, table=table)
        chat.refuse_gallery_member(table=table, user=user)
        check_standing(table=locked_game.table, user=user)
        for seat in list(locked_game.seats):
            if seat.user_id == guest.pk:
                _give(locked_game.to_change(seat), user, name=seat.name)
        if locked_game.table.host_id == guest.pk:
            locked_game.table.host = user
        locked_game.note_table_change()


def _give(seat: Seat, user: User, name: str) -> None:
    seat.user, seat.name = user, name
    # This also records in `Sat` that the user sits here.
    seat.save(update_fields=["user", "name"])
