"""Who may take a seat, as the host has chosen."""

from datetime import timedelta

from django.utils import timezone

from accounts.models import Friendship, User
from accounts.sanctions import is_shut_out, standing
from games.models import NOT_COUNTED, Joiners, Seat, Table
from games.refusals import Refusal, Refused


def check_may_join(*, table: Table, user: User) -> None:
    """Raises Refused: FRIENDS_ONLY, TOO_NEW or TOO_FEW_GAMES. At most one statement."""
    match Joiners(table.joiners):
        case Joiners.FRIENDS:
            host = table.host_id
            if host is None or (
                user.pk != host
                and not Friendship.objects.between(user.pk, host).accepted().exists()
            ):
                raise Refused(Refusal.FRIENDS_ONLY)
        case Joiners.OLD:
            if timezone.now() - user.date_joined < timedelta(days=table.joiners_least):
                raise Refused(Refusal.TOO_NEW)
        case Joiners.PLAYED:
            if games_finished(user) < table.joiners_least:
                raise Refused(Refusal.TOO_FEW_GAMES)


def check_standing(*, table: Table, user: User) -> None:
    """For whatever gives somebody a seat, or promises one. Raises Refused: UNRATED or SHUT_OUT.
    A statement at rated tables only."""
    now = timezone.now()
    if is_shut_out(user, now):
        raise Refused(Refusal.SHUT_OUT)
    if table.is_rated and standing(user, now).unrated:
        raise Refused(Refusal.UNRATED)


def games_finished(user: User) -> int:
    """In how many games this person had a seat when they ended."""
    seats = Seat.objects.filter(user=user, table__stage=Table.Stage.OVER)
    # Those that count.
    return seats.exclude(table__game__stopped__in=NOT_COUNTED).count()
