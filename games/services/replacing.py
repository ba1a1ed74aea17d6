"""A seat of a running game goes to somebody else, with all that it knows."""

from accounts.models import User
from games.models import Seat, Substitute
from games.services import showings
from games.services.live import announce_lobby
from games.services.play import Sitting


def seat_pass(sitting: Sitting, number: int, *, newcomer: User | None, name: str) -> None:
    """The seat is the newcomer's, under `name`, and so is all that the seat knows; nothing else
    moves. None is a bot.

    Who let the others down by being away has done so, whoever gets the seat.
    """
    before = sitting.seats[number]
    gone, was_vacant = before.user_id, before.is_vacant
    seat = sitting.to_change(before)
    seat.user = newcomer
    seat.bot = "" if newcomer is not None else Seat.Bot.CAUTIOUS
    seat.name = name
    seat.is_away, seat.times_late, seat.is_connected = False, 0, True
    # Writes down in `Sat` that they have sat here.
    seat.save(update_fields=["user", "bot", "name", "is_connected"])
    if newcomer is not None:
        Substitute.objects.filter(table=sitting.table, user=newcomer).delete()
    if gone is not None and was_vacant:
        showings.note_replaced(game=sitting.game, user_pk=gone)
    if gone is not None and sitting.table.host_id == gone:
        others = (seat.user_id for seat in sitting.seats if seat.user_id is not None)
        sitting.table.host_id = next(others, None) if newcomer is None else newcomer.pk
    # They have not seen the table yet: the decision at hand gets its whole time once more.
    sitting.set_alarms(is_new_decision=True)
    sitting.note_affairs()
    announce_lobby()
