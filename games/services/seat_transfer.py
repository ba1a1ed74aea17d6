"""Passing a seat of a running game to another player, with everything that the seat knows."""

from accounts.models import User
from accounts.services.bots import bots_among
from games import bots
from games.models import Substitute
from games.services import attendance
from games.services.announcements import announce_lobby
from games.services.play import LockedGame


def transfer_seat(
    locked_game: LockedGame, number: int, *, newcomer: User | None, name: str
) -> None:
    """Give the seat and its knowledge to `newcomer`, under `name`. None means a bot.

    No move happens by this. If the previous player was away, that still counts against them, no
    matter who gets the seat.
    """
    before = locked_game.seats[number]
    gone, was_vacant = before.user_id, before.is_vacant
    seat = locked_game.to_change(before)
    seat.user = newcomer
    seat.bot = "" if newcomer is not None else bots.HEIR
    seat.name = name
    seat.is_away, seat.times_late, seat.is_connected = False, 0, True
    # The newcomer is not the player who missed the reveal.
    seat.has_missed_reveal = False
    seat.vacation_until = None
    seat.has_read_role = seat.has_hints = False
    # This also records in `Sat` that the newcomer has sat here.
    seat.save(
        update_fields=[
            "user", "bot", "name", "is_connected", "has_missed_reveal", "has_read_role",
            "has_hints", "vacation_until",
        ]
    )  # fmt: skip
    if newcomer is not None:
        Substitute.objects.filter(table=locked_game.table, user=newcomer).delete()
    if gone is not None and was_vacant:
        attendance.record_replaced(game=locked_game.game, user_pk=gone)
    if gone is not None and locked_game.table.host_id == gone:
        seated = [seat.user_id for seat in locked_game.seats if seat.user_id is not None]
        programs = bots_among(seated)
        others = (pk for pk in seated if pk not in programs)
        locked_game.table.host_id = next(others, None) if newcomer is None else newcomer.pk
    # The newcomer has not seen the table yet, so the current decision gets its full time again.
    locked_game.set_alarms(is_new_decision=True)
    locked_game.note_table_change()
    announce_lobby()
