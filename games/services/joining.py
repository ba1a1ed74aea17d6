"""Who may take a seat, by the host's choice, by their standing and by the limits."""

from collections.abc import Collection
from datetime import timedelta
from typing import assert_never

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts.models import Block, BotAccount, Friendship, User
from accounts.moderation.sanctions import is_shut_out, standing
from accounts.services.signals import pairs_on_same_device
from games.models import LIVE_STAGES, Joiners, Kick, Pace, Seat, Table
from games.selectors.open_seats import finished_games_of
from games.services import same_person
from games.wording.refusals import Refusal, Refused


def check_may_join(*, table: Table, user: User) -> None:
    """Check that the host's choice lets `user` join. Runs at most one query.

    Raises Refused: FRIENDS_ONLY, TOO_NEW or TOO_FEW_GAMES.
    """
    joiners = Joiners(table.joiners)
    match joiners:
        case Joiners.ALL:
            pass
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
        case _:
            assert_never(joiners)


def check_standing(*, table: Table, user: User) -> None:
    """Check that no sanction bars `user` from a seat, or from a place on the waiting list.

    Runs a query at rated tables only. Raises Refused: NO_BOT_ACCOUNTS, BOTS_AHEAD, NO_PROGRAMS,
    NO_GUESTS, UNRATED or SHUT_OUT.
    """
    if user.is_bot and (table.is_rated or table.is_blind or table.pace == Pace.UNTIMED):
        # A pseudonym would hide the mark, and without a clock a silent program would hold everyone.
        raise Refused(Refusal.NO_BOT_ACCOUNTS)
    if user.is_bot and table.is_ahead:
        # Programs do not answer the ready check that opens the table.
        raise Refused(Refusal.BOTS_AHEAD)
    if user.is_bot and not table.takes_programs:
        raise Refused(Refusal.NO_PROGRAMS)
    if user.is_trial and not table.seats_guests and user.pk != table.host_id:
        raise Refused(Refusal.NO_GUESTS)
    now = timezone.now()
    if is_shut_out(user, now):
        raise Refused(Refusal.SHUT_OUT)
    if table.is_rated and standing(user, now).unrated:
        raise Refused(Refusal.UNRATED)


def may_sit(*, table: Table, user: User) -> bool:
    """Return whether a gathering table with a free seat would take `user`.

    Does not count the games of the user.
    """
    if Kick.objects.filter(table=table, user=user).exists():
        return False
    try:
        check_may_join(table=table, user=user)
        check_standing(table=table, user=user)
        same_person.refuse_seat(table=table, user=user)
    except Refused:
        return False
    return True


def pairs_apart(users: Collection[int]) -> set[frozenset[int]]:
    """Return the pairs of these users who block each other or share a browser. Two statements."""
    if len(users) < 2:
        return set()
    blocks = Block.objects.filter(blocker__in=users, blocked__in=users)
    apart = {frozenset(pair) for pair in blocks.values_list("blocker", "blocked")}
    return apart | {frozenset(pair) for pair in pairs_on_same_device(users)}


def check_games_few(user: User) -> None:
    """Refuse a user who has too many games. Call it before a seat is given or promised.

    Raises Refused: GAMES_ENOUGH, if `user` sits at settings.RUNNING_GAMES tables that gather or
    play; a bot account's games count with its owner's and those of the owner's other bots. Locks
    rows of users, so that two requests at once do not both find room. Lock a table before its
    people.
    """
    if settings.RUNNING_GAMES:
        accounts = _lock(user)
        seats = Seat.objects.filter(user__in=accounts, table__stage__in=LIVE_STAGES)
        if seats.count() >= settings.RUNNING_GAMES:
            raise Refused(Refusal.GAMES_ENOUGH)


def check_quick_games_few(user: User) -> None:
    """Refuse a user who plays too many quick games.

    Raises Refused: BOT_GAMES_ENOUGH, if `user` plays settings.QUICK_GAMES untimed games with
    bots. Locks the user's row.
    """
    if settings.QUICK_GAMES:
        _lock(user)
        if games_with_bots(user).count() >= settings.QUICK_GAMES:
            raise Refused(Refusal.BOT_GAMES_ENOUGH)


def games_with_bots(user: User) -> QuerySet[Seat]:
    """Return the seats of `user` in untimed games that have begun, without other people."""
    others = Seat.objects.filter(table=OuterRef("table"), user__isnull=False).exclude(user=user)
    begun = (Table.Stage.SEALING, Table.Stage.RUNNING)
    seats = Seat.objects.filter(user=user, table__stage__in=begun, table__pace=Pace.UNTIMED)
    return seats.exclude(Exists(others))


def _lock(user: User) -> list[User]:
    """Lock and return this account, its owner's if it is a bot's, and their bots' accounts."""
    owners = BotAccount.objects.filter(user=user).values_list("owner", flat=True)
    owner = owners.first() or user.pk
    bots = BotAccount.objects.filter(owner=owner).values_list("user", flat=True)
    locked = User.objects.select_for_update(no_key=True).filter(pk__in={user.pk, owner, *bots})
    return list(locked.order_by("pk"))


def games_finished(user: User) -> int:
    """Return in how many finished games that count this user had a seat at the end."""
    return finished_games_of([user.pk]).get(user.pk, 0)
