"""Seating users who look for a game and are here.

A worker looks every few seconds, and so do the requests of users who wait. Users who complete a
public table that gathers sit down there. Otherwise enough users for a game get a table that begins
at once, and bots fill the table of users who have agreed to them and waited long enough.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from accounts.moderation.sanctions import standing
from games.models import Chat, GameRequest, Pace, Seat, Starts, Table, Terms, Visibility
from games.selectors.open_tables import ListedTable, read_open_tables
from games.services import game_requests, matching, ready, tables
from games.services.game_requests import PACES, lock, waiting_here, waiting_of
from games.services.joining import may_sit, pairs_apart
from games.services.locked_tables import lock_gathering_table, save_changes
from games.services.matching import Match
from games.services.table_notices import call_user
from games.wording.refusals import Refusal, Refused

# The cache's key for a run within the last second.
_RECENT: Final = "game-requests-settled"


def settle(now: datetime | None = None) -> int:
    """Seat users who wait for a seat. Return how many games or tables got users."""
    now = now or timezone.now()
    requests = {request.user_id: request for request in waiting_here(now)}
    if not requests:
        return 0
    apart = pairs_apart(requests)
    filled = 0
    for found in _gathering():
        users = _fill(found, list(requests.values()), now)
        filled += bool(users)
        for user in users:
            del requests[user]
    waiting = [waiting_of(request) for request in requests.values()]
    possible = matching.match_people(waiting, apart, now)
    busy = {user for match in possible for user in match.users}
    others = [one for one in waiting if one.user not in busy]
    possible += matching.match_with_bots(others, apart, now)
    begun = [
        _begin(match, [requests[user] for user in match.users], now)
        for match in possible
        if match.begins
    ]
    return filled + sum(begun)


def settle_once_a_second() -> None:
    """Do what `settle` does, unless this has happened within the last second.

    For the polls of users who wait: any number of them share one run.
    """
    if cache.add(_RECENT, value=True, timeout=1):
        settle()


# A game of their own ------------------------------------------------------------------------------


def _begin(match: Match, requests: Sequence[GameRequest], now: datetime) -> bool:
    """Open a table for these users and begin the game. Return whether it has begun.

    If one of them has changed their mind or sat down elsewhere meanwhile, nothing happens.
    """
    try:
        with transaction.atomic():
            locked = lock(requests)
            if locked is None:
                return False
            offer, users = match.offer, [request.user for request in locked]
            seats = len(users) + match.bots
            terms = Terms(
                edition=offer.edition,
                seats_wanted=seats,
                least_seats=seats,
                pace=Pace(offer.pace),
                visibility=Visibility.PUBLIC,
                starts=Starts.FULL,
                languages=(offer.language,) if offer.language else (),
                is_rated=not match.bots and not any(standing(user, now).unrated for user in users),
                bots=match.bots,
            )
            people = [(request.user, request.contribution_hash) for request in locked]
            table = tables.begin_for(people=people, terms=terms)
            for user in users:
                call_user(user_pk=user.pk, table=table, now=now)
    except tables.CannotSit as error:
        # The others try again without this user.
        game_requests.withdraw(user=error.user)
        return False
    except Refused:
        return False
    return True


# A table that gathers -----------------------------------------------------------------------------


def _gathering() -> list[ListedTable]:
    """Return the public tables that users may be seated at without asking, the fullest first.

    The game takes one sitting, everyone is there, no bots sit there, the rules are an edition's,
    and names are known: at a blind table it would show who sits there if a user is not seated.
    """
    found = [
        table
        for table in read_open_tables().gathering
        if table.has_room
        and table.pace in PACES
        and not table.is_custom
        and not table.is_blind
        and table.chat != Chat.NONE
        and table.seated == len(table.people)
        and table.host in table.people
    ]
    missing = Seat.objects.filter(table__in=[table.pk for table in found], is_connected=False)
    away = set(missing.values_list("table", flat=True))
    kept = [table for table in found if table.pk not in away]
    return sorted(kept, key=lambda table: (-len(table.people), table.pk))


def table_offered(request: GameRequest) -> ListedTable | None:
    """Return the fullest table that the user may sit down at, though it stays too small for a game.

    Whom they or the players there block makes no difference: an offer that is missing would tell.
    """
    return next(
        (
            found
            for found in _gathering()
            if request.user_id not in found.people
            and waiting_of(request).fits(found)
            and may_sit(table=Table.objects.get(pk=found.pk), user=request.user)
        ),
        None,
    )


def _fill(found: ListedTable, requests: Sequence[GameRequest], now: datetime) -> list[int]:
    """Seat users at a table that gathers, if that is enough for a game. Return who has sat down.

    A table that is too small takes no one: it would keep users from games with each other, and a
    user who is not seated would know that someone there blocks them.
    """
    needed = found.wanted if found.starts == Starts.FULL else found.least
    fitting = [
        request
        for request in requests
        if request.user_id not in found.people and waiting_of(request).fits(found)
    ]
    if not fitting or found.seated + len(fitting) < needed:
        return []
    apart = pairs_apart([*found.people, *(request.user_id for request in fitting)])
    table = Table.objects.get(pk=found.pk)
    fitting = [
        request
        for request in fitting
        if not any(frozenset((request.user_id, one)) in apart for one in found.people)
        and may_sit(table=table, user=request.user)
    ]
    group = matching.together([waiting_of(request) for request in fitting], apart)
    chosen = {one.user for one in group[: found.wanted - found.seated]}
    if found.seated + len(chosen) < needed:
        return []
    return _sit(found, [request for request in fitting if request.user_id in chosen], now)


def _sit(found: ListedTable, requests: Sequence[GameRequest], now: datetime) -> list[int]:
    """Seat all of these users or none: the table, or a request, may have changed meanwhile.

    Everyone else at the table is asked whether they are ready.
    """
    table = Table(pk=found.pk, code=found.code)
    try:
        with transaction.atomic():
            _, seats = lock_gathering_table(table)
            locked = lock(requests)
            if locked is None or {seat.user_id for seat in seats} != found.people:
                return []
            for request in locked:
                _join(request, table)
                call_user(user_pk=request.user_id, table=table, now=now)
            users = [request.user_id for request in locked]
            full = Table.objects.get(pk=table.pk)
            ready.call_with(full, users, now)
            save_changes(full)
    except tables.CannotSit as error:
        # The others try again without this user.
        game_requests.withdraw(user=error.user)
        return []
    except Refused:
        return []
    return users


def _join(request: GameRequest, table: Table) -> None:
    """Seat the user. Raises CannotSit if they play in too many games, and Refused."""
    try:
        tables.join_table(
            table=table, user=request.user, contribution_hash=request.contribution_hash
        )
    except Refused as error:
        if error.refusal == Refusal.GAMES_ENOUGH:
            raise tables.CannotSit(request.user, error.refusal) from error
        raise
