"""A table that gathers, locked, changed, and at last begun: what all who arrange it share."""

from typing import Final

from django.utils import timezone

from accounts.models import User
from games.models import Game, Pace, Seat, Table
from games.positions import position_of
from games.refusals import Refusal, Refused
from games.rules.chance import order_of
from games.services import deadlines, invitations
from games.services.live import announce_lobby, announce_table

# More than any seat's number: where seats stand while they change places.
_ASIDE: Final = 100


def gathering(
    table: Table, host: User | None = None, *, when_frozen: bool = False
) -> tuple[Table, list[Seat]]:
    """Locks a table that still gathers, for its host where one is named.

    Raises Refused: NOT_HOST, NOT_OPEN, and FROZEN unless that is asked for.
    """
    locked = Table.objects.select_for_update().get(pk=table.pk)
    if host is not None and locked.host_id != host.pk:
        raise Refused(Refusal.NOT_HOST)
    if locked.stage != Table.Stage.OPEN:
        raise Refused(Refusal.NOT_OPEN)
    if locked.is_frozen and not when_frozen:
        raise Refused(Refusal.FROZEN)
    return locked, list(locked.seats.all())


def changed(table: Table) -> None:
    """Saves a locked table, and announces it once that is committed."""
    if table.stage != Table.Stage.OPEN:
        table.asked_until = table.frozen_at = None
        table.frozen_because = ""
    table.version += 1
    table.save()
    announce_table(table)
    announce_lobby()


def hand_over(table: Table, seats: list[Seat]) -> None:
    """Where the host does not sit there any more, the first person is host; none: it closes."""
    people = [seat.user_id for seat in seats if seat.user_id is not None]
    if not people:
        table.stage = Table.Stage.CLOSED
    elif table.host_id not in people:
        table.host_id = people[0]


def begin(table: Table, seats: list[Seat]) -> None:
    """Deals the cards from the seal to those who sit at this locked table; `changed` saves it."""
    # Seats count from 0 round the table, without gaps.
    order = sorted(seats, key=lambda seat: seat.number)
    if table.shuffles_seats:
        drawn = order_of(bytes(table.seed), [seat.contribution for seat in order])
        order = [order[place] for place in drawn]
    moved = [seat for number, seat in enumerate(order) if seat.number != number]
    # No two have the same number, not even for a moment.
    for step in (_ASIDE, 0):
        for number, seat in enumerate(order):
            if seat in moved:
                seat.number = number + step
                seat.save(update_fields=["number"])
    table.stage = Table.Stage.RUNNING
    game = Game(table=table, players=len(order))
    game.save()
    position = position_of(game)
    if table.pace == Pace.DAILY:
        invitations.announce_turns(table=table, seats=order, to_act=position.state.to_act)
    deadlines.set_alarms(
        game,
        Pace(table.pace),
        order,
        position,
        now=timezone.now(),
        is_new_decision=True,
    )
    game.save()
