"""Passing a seat of a running game to another player, with everything that the seat knows."""

from accounts.models import User
from games.models import Seat, Substitute
from games.services import showings
from games.services.live import announce_lobby
from games.services.play import Sitting


def seat_pass(sitting: Sitting, number: int, *, newcomer: User | None, name: str) -> None:
    """Give the seat and its knowledge to `newcomer`, under `name`. None means a bot.

    No move happens by this. If the previous player was away, that still counts against them, no
    matter who gets the seat.
    """
    before = sitting.seats[number]
    gone, was_vacant = before.user_id, before.is_vacant
    seat = sitting.to_change(before)
    seat.user = newcomer
    seat.bot = "" if newcomer is not None else Seat.Bot.CAUTIOUS
    seat.name = name
    seat.is_away, seat.times_late, seat.is_connected = False, 0, True
    # The page names players who did not reveal, and this is another one.
    seat.has_missed_reveal = False
    # This also records in `Sat` that the newcomer has sat here.
    seat.save(update_fields=["user", "bot", "name", "is_connected", "has_missed_reveal"])
    if newcomer is not None:
        Substitute.objects.filter(table=sitting.table, user=newcomer).delete()
    if gone is not None and was_vacant:
        showings.note_replaced(game=sitting.game, user_pk=gone)
    if gone is not None and sitting.table.host_id == gone:
        others = (seat.user_id for seat in sitting.seats if seat.user_id is not None)
        sitting.table.host_id = next(others, None) if newcomer is None else newcomer.pk
    # The newcomer has not seen the table yet, so the current decision gets its full time again.
    sitting.set_alarms(is_new_decision=True)
    sitting.note_affairs()
    announce_lobby()
