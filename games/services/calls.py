"""Calling users who wait for a table, and taking calls back.

A worker looks every few seconds. A public table with a free seat calls those who look for one like
it. If there is none, but enough users who are here want the same, it opens a table for them. No one
is seated by being called, except the host of such a table.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.models import Notification, User
from games.models import LIVE_STAGES, GameRequest, Pace, Presence, Starts, Table, Terms, Visibility
from games.selectors.open_tables import ListedTable, read_open_tables
from games.services import matching, tables
from games.services.announcements import announce_bell
from games.services.game_requests import here_among, lock, waiting_for_calls, waiting_of
from games.services.joining import may_sit, pairs_apart
from games.services.table_notices import call_user
from games.wording.refusals import Refused

# After a call, the next one waits this long.
_BETWEEN_CALLS: Final = timedelta(minutes=2)
# A table for users who wait has at most this many seats, so that it fills.
_WANTED: Final = 7


def call_waiting(now: datetime | None = None) -> int:
    """Call users to tables that they wait for, and open tables for them. Return the calls."""
    now = now or timezone.now()
    _take_calls_back()
    waiting = [
        request
        for request in waiting_for_calls(now)
        if request.found_at is None or request.found_at + _BETWEEN_CALLS <= now
    ]
    if not waiting:
        return 0
    gathering = [
        table for table in read_open_tables().gathering if table.has_room and not table.is_empty
    ]
    called = {request.pk for request in waiting if _call_to_any(request, gathering, now)}
    others = [request for request in waiting if request.pk not in called and not request.table_id]
    return len(called) + _open_for(here_among(others, now), now)


def _call_to_any(request: GameRequest, gathering: Iterable[ListedTable], now: datetime) -> bool:
    """Call the user to the fullest table that fits. Return whether there was a new one."""
    wanted = waiting_of(request)
    for found in sorted(gathering, key=lambda table: (-len(table.people), table.pk)):
        if request.user_id in found.people or found.pk == request.table_id:
            continue
        if wanted.fits(found) and _may_be_called(request.user, found):
            return _call(request, Table(pk=found.pk, code=found.code), now)
    return False


def _may_be_called(user: User, found: ListedTable) -> bool:
    # At a blind table, a call that does not come would tell who sits there.
    if not found.is_blind:
        apart = pairs_apart([user.pk, *found.people])
        if any(frozenset((user.pk, one)) in apart for one in found.people):
            return False
    return may_sit(table=Table.objects.get(pk=found.pk), user=user)


def _call(request: GameRequest, table: Table, now: datetime) -> bool:
    """Call the user. Return False if another worker has just done so, or the request is gone."""
    as_read = GameRequest.objects.filter(pk=request.pk, found_at=request.found_at)
    if not as_read.filter(mode=GameRequest.Mode.CALL).update(table=table.pk, found_at=now):
        return False
    call_user(user_pk=request.user_id, table=table, now=now, pushes=True)
    return True


def _open_for(waiting: list[GameRequest], now: datetime) -> int:
    """Open a table for the first group of users who want the same. Return how many are called."""
    apart = pairs_apart([request.user_id for request in waiting])
    known = {request.user_id: request for request in waiting}
    for match in matching.match_people([waiting_of(one) for one in waiting], apart, now):
        if not match.begins:
            continue
        offer = match.offer
        terms = Terms(
            edition=offer.edition,
            seats_wanted=min(offer.most, max(_WANTED, offer.least, len(match.users))),
            least_seats=offer.least,
            pace=Pace(offer.pace),
            visibility=Visibility.PUBLIC,
            starts=Starts.HOST,
            languages=(offer.language,) if offer.language else (),
        )
        with transaction.atomic():
            requests = lock([known[user] for user in match.users]) or []
            table = _open_for_any([request.user for request in requests], terms)
            if table is None:
                continue
            for request in requests:
                if request.user_id == table.host_id:
                    # The host has a seat, and no request any more.
                    call_user(user_pk=request.user_id, table=table, now=now, pushes=True)
                else:
                    _call(request, table, now)
        return len(requests)
    return 0


def _open_for_any(hosts: Iterable[User], terms: Terms) -> Table | None:
    """Open a table for the first of these users who may."""
    for host in hosts:
        try:
            return tables.open_table(host=host, terms=terms)
        except Refused:
            continue
    return None


def _take_calls_back() -> None:
    """Delete unread calls that were answered or whose table has no seat left for the user."""
    unread = Notification.objects.filter(kind=Notification.Kind.CALLED, read_at__isnull=True)
    calls = list(unread.values_list("pk", "user", "about"))
    if not calls:
        return
    codes = {code for _, _, code in calls}
    with_room = {found.code for found in read_open_tables().gathering if found.has_room}
    live = Table.objects.filter(code__in=codes, stage__in=LIVE_STAGES)
    seated = set(live.values_list("seats__user", "code"))
    # A user who was seated by being called may not know of it yet.
    at_table = set(Presence.objects.filter(table__in=live).values_list("user", "table__code"))
    stale = {
        pk: user
        for pk, user, code in calls
        if ((user, code) in at_table if (user, code) in seated else code not in with_room)
    }
    unread.filter(pk__in=stale).delete()
    for user in set(stale.values()):
        announce_bell(user)
