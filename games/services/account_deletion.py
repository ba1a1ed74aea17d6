"""What happens at tables when an account is deleted: its seats stay, without a player."""

from typing import Final

from django.db import transaction
from django.db.models import F

from accounts.models import BotAccount, User
from games.models import ArchivedSeat, Message, RatingPlayer, Result, Ruling, Sat, Seat, Table
from games.services import play, tables
from games.services.announcements import announce_table
from games.wording.refusals import Refused

# "N. N." stands for an unnamed player in old tournament registers, in any language. No account can
# have this name (accounts.profiles.names).
NOBODY: Final = "N. N. {number}"
_GONE: Final = "N. N."
_WITH_A_GAME: Final = (Table.Stage.RUNNING, Table.Stage.OVER)


def depart_from_tables(user: User) -> None:
    """Leave the tables that still gather, and remove `user` and their name from all other seats.

    Running games continue: a stand-in plays for a seat without a player. The record and the log
    show the new name, because they take names from the seats.
    """
    with transaction.atomic():
        _note_owner(user)
        for table in Table.objects.filter(stage=Table.Stage.OPEN, seats__user=user):
            try:
                tables.leave_table(table=table, user=user, when_frozen=True)
            except Refused:
                # The game has started meanwhile.
                continue
        seats = Seat.objects.filter(user=user).select_related("table")
        # Games are locked in this order everywhere.
        for seat in seats.order_by(F("table__game").asc(nulls_last=True), "table"):
            name = NOBODY.format(number=seat.number + 1)
            try:
                _leave(seat, name)
            except _Begun:
                play.leave_seat_for_good(table=seat.table, user=user, name=name)
        Table.objects.filter(host=user).update(host=None)
        Ruling.objects.filter(gone=user).update(gone=None, gone_name=_GONE)
        Ruling.objects.filter(newcomer=user).update(newcomer=None, newcomer_name=_GONE)
        Result.objects.filter(user=user).delete()
        ArchivedSeat.objects.filter(user=user).update(user=None)
        # Its games stay counted for the others.
        RatingPlayer.objects.filter(user=user).update(user=None)
        # Messages stay, under the seat's new name; a guest's messages get no name.
        Message.objects.filter(user=user).update(user=None, name=_GONE)


def _note_owner(user: User) -> None:
    """Note for the owner of a bot account that they have played where it did, and know its role."""
    owner = BotAccount.objects.filter(user=user).values_list("owner", flat=True).first()
    if owner is not None:
        tables_of_bot = Sat.objects.filter(user=user).values_list("table", "at")
        Sat.objects.bulk_create(
            [Sat(table_id=table, user_id=owner, at=at) for table, at in tables_of_bot],
            ignore_conflicts=True,
        )


class _Begun(Exception):
    """The table has a game, which has to be told of a seat without a player."""


def _leave(seat: Seat, name: str) -> None:
    """Leave the seat of a table without a game. Raises _Begun.

    The last browser may have revealed its part of the seal since the seat was read. The savepoint
    gives the table's lock back then: a game is locked before its table.
    """
    if seat.table.stage in _WITH_A_GAME:
        raise _Begun
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=seat.table_id)
        if table.stage in _WITH_A_GAME:
            raise _Begun
        Seat.objects.filter(pk=seat.pk).update(user=None, name=name)
        table.version += 1
        table.save(update_fields=["version"])
        announce_table(table)
