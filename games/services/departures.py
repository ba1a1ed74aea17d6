"""What stays at the tables of somebody whose account goes: the seat, and nobody in it."""

from typing import Final

from django.db import transaction

from accounts.models import User
from games.models import Message, Result, Ruling, Seat, Table
from games.refusals import Refused
from games.services import play, tables
from games.services.live import announce_table

# As the registers of old tournaments write whoever is not named, in any language; and no name
# that an account may have (accounts.names).
NOBODY: Final = "N. N. {number}"
_GONE: Final = "N. N."


def person_depart(user: User) -> None:
    """Leaves what gathers, and makes every other seat of `user` nobody's, name and all.

    Games go on: a stand-in plays for a seat that is nobody's. The record and the log are told
    with the new name, since they are told by the seats.
    """
    with transaction.atomic():
        for table in Table.objects.filter(stage=Table.Stage.OPEN, seats__user=user):
            try:
                tables.leave_table(table=table, user=user, when_frozen=True)
            except Refused:
                # It has begun since.
                continue
        for seat in Seat.objects.filter(user=user).select_related("table").order_by("table"):
            name = NOBODY.format(number=seat.number + 1)
            if seat.table.stage in (Table.Stage.RUNNING, Table.Stage.OVER):
                play.leave_for_good(table=seat.table, user=user, name=name)
            else:
                _leave(seat, name)
        Table.objects.filter(host=user).update(host=None)
        Ruling.objects.filter(gone=user).update(gone=None, gone_name=_GONE)
        Ruling.objects.filter(newcomer=user).update(newcomer=None, newcomer_name=_GONE)
        Result.objects.filter(user=user).delete()
        # What was said stays, under the name that the seat has now; a guest's under none.
        Message.objects.filter(user=user).update(user=None, name=_GONE)


def _leave(seat: Seat, name: str) -> None:
    table = Table.objects.select_for_update().get(pk=seat.table_id)
    seat.user, seat.name = None, name
    seat.save(update_fields=["user", "name"])
    table.version += 1
    table.save(update_fields=["version"])
    announce_table(table)
