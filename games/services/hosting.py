"""What the host may do: remove a player, set the seating, hand over, and quieten the bots."""

from django.db import transaction

from accounts.models import User
from accounts.services.bots import bots_among
from games.models import Kick, Seat, Table
from games.services import ready
from games.services.announcements import announce_table
from games.services.locked_tables import lock_gathering_table, save_changes
from games.wording.refusals import Refusal, Refused


def kick(*, table: Table, user: User, number: int, name: str) -> None:
    """Free the seat of a person or a bot. A removed person cannot sit down there again.

    `name` is the name that the host saw on that seat. Raises Refused: NOT_HOST, NOT_OPEN, STALE if
    the seat has another name now, OWN_SEAT.
    """
    with transaction.atomic():
        locked, seats = lock_gathering_table(table, host=user)
        seat = _seat(seats, number, name)
        if seat.user_id == user.pk:
            raise Refused(Refusal.OWN_SEAT)
        if seat.user_id is not None:
            Kick.objects.get_or_create(table=locked, user_id=seat.user_id)
        seat.delete()
        ready.note_seats(locked)
        save_changes(locked)


def hand_over_hosting(*, table: Table, user: User, number: int, name: str) -> None:
    """Make another seated person the host.

    Raises Refused: NOT_HOST, NOT_OPEN, STALE as `kick`, NO_PERSON for a bot.
    """
    with transaction.atomic():
        locked, seats = lock_gathering_table(table, host=user)
        seat = _seat(seats, number, name)
        if seat.user_id is None or bots_among([seat.user_id]):
            raise Refused(Refusal.NO_PERSON)
        locked.host_id = seat.user_id
        save_changes(locked)


def choose_seating(*, table: Table, user: User, shuffles: bool) -> None:
    """Set whether the seats are shuffled when the game begins. Raises Refused."""
    with transaction.atomic():
        locked, _ = lock_gathering_table(table, host=user)
        if locked.shuffles_seats != shuffles:
            locked.shuffles_seats = shuffles
            save_changes(locked)


def choose_bots_say(*, table: Table, user: User, bots_say: str) -> None:
    """Set how much bots talk at a table, before the game or during it.

    Raises Refused: NOT_HOST, NOT_OPEN at a closed table.
    """
    with transaction.atomic():
        locked = Table.objects.select_for_update().get(pk=table.pk)
        if locked.host_id != user.pk:
            raise Refused(Refusal.NOT_HOST)
        if locked.stage == Table.Stage.CLOSED:
            raise Refused(Refusal.NOT_OPEN)
        if locked.bots_say != bots_say:
            locked.bots_say = bots_say
            locked.version += 1
            locked.save(update_fields=["bots_say", "version"])
            announce_table(locked)


def refuse_kicked(*, table: Table, user: User) -> None:
    """Check that `user` may get a seat at `table`. Raises Refused: KICKED."""
    if Kick.objects.filter(table=table, user=user).exists():
        raise Refused(Refusal.KICKED)


def _seat(seats: list[Seat], number: int, name: str) -> Seat:
    # By now, someone else may sit there than the host saw.
    seat = next((seat for seat in seats if seat.number == number and seat.name == name), None)
    if seat is None:
        raise Refused(Refusal.STALE)
    return seat
