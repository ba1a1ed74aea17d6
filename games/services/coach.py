"""Who gets hints: players in their first games, until they have had enough."""

from collections.abc import Sequence
from typing import Final

from django.db.models import Count

from accounts.models import User
from accounts.services.preferences import switch_preference
from games.models import Seat, Table
from games.services import play
from games.wording.refusals import Refusal, Refused

# Hints end after this many finished games.
FIRST_GAMES: Final = 3


def offer_hints(seats: Sequence[Seat]) -> None:
    """Give hints to the beginners at a table that is being dealt. Saves their seats."""
    people = [seat.user_id for seat in seats if seat.user_id is not None]
    beginners = set(
        User.objects.filter(pk__in=people, hints=True, bot_account=None)
        .annotate(finished=Count("results"))
        .filter(finished__lt=FIRST_GAMES)
        .values_list("pk", flat=True)
    )
    for seat in seats:
        seat.has_hints = seat.user_id in beginners
    Seat.objects.filter(pk__in=[seat.pk for seat in seats if seat.has_hints]).update(has_hints=True)


def stop_hints(*, table: Table, user: User) -> None:
    """End the hints here and in later games. Raises Refused for a user without a seat."""
    with play.locked_game_at(table) as locked_game:
        seat = next((seat for seat in locked_game.seats if seat.user_id == user.pk), None)
        if seat is None:
            raise Refused(Refusal.NOT_SEATED)
        switch_preference(user=user, name="hints", is_on=False)
        if seat.has_hints:
            locked_game.note_hints_stopped(seat)
