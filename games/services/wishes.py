"""Waiting for a table: users say what they look for, and are called when it is there.

A worker looks every few seconds. A public table with a free seat calls those whose wish it fits.
If there is none, but enough users who are here want the same, it opens a table for them. No one is
seated by being called, except the host of such a table.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from django.db.models import Count
from django.utils import timezone

from accounts.models import Block, Notification, User
from accounts.services import notices, web_push
from accounts.services.notifications import notify
from games.models import LIVE_STAGES, Pace, Presence, Starts, Table, Terms, Visibility, Wish
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS
from games.rules.editions import EDITIONS
from games.selectors.open_tables import (
    SIZES,
    ListedTable,
    TableFilters,
    read_open_tables,
)
from games.services import tables
from games.services.announcements import announce_bell
from games.services.joining import check_may_join, check_standing
from games.services.presence import STALE
from games.wording.refusals import Refused

# After a call, the next one waits this long.
_BETWEEN_CALLS: Final = timedelta(minutes=2)
# A table for those who wait has at most this many seats, so that it fills.
_WANTED: Final = 7


class Lasts(StrEnum):
    """How long a wish lasts."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"


_TIMES: Final = {
    Lasts.HOUR: timedelta(hours=1),
    Lasts.DAY: timedelta(days=1),
    Lasts.WEEK: timedelta(weeks=1),
}


@dataclass(frozen=True, slots=True)
class Demand:
    """How many users wait for the same."""

    users: int
    edition: str
    size: str
    pace: str
    language: str


def filters_of(wish: Wish) -> TableFilters:
    """Return what a wish looks for."""
    return TableFilters(
        edition=wish.edition, size=wish.size, pace=wish.pace, language=wish.language
    )


def make_wish(
    *, user: User, filters: TableFilters, lasts: Lasts, now: datetime | None = None
) -> Wish:
    """Note what `user` waits for; it replaces an earlier wish."""
    now = now or timezone.now()
    wish, _ = Wish.objects.update_or_create(
        user=user,
        defaults={
            "edition": filters.edition,
            "size": filters.size,
            "pace": filters.pace,
            "language": filters.language,
            "until": now + _TIMES[lasts],
            "made_at": now,
            "table": None,
            "called_at": None,
        },
    )
    return wish


def drop_wish(*, user: User) -> None:
    """Forget what `user` waits for."""
    Wish.objects.filter(user=user).delete()


def wish_of(user: User, now: datetime | None = None) -> Wish | None:
    """Return what `user` waits for; None if nothing, or no longer."""
    return Wish.objects.filter(user=user, until__gt=now or timezone.now()).first()


def demand(
    *, besides: int | None = None, now: datetime | None = None, most: int = 5
) -> tuple[Demand, ...]:
    """Return what most users wait for, without names; the user `besides` does not count."""
    rows = (
        Wish.objects.filter(until__gt=now or timezone.now(), user__is_active=True)
        .exclude(user=besides)
        .values("edition", "size", "pace", "language")
        .annotate(users=Count("pk"))
        .order_by("-users", "edition", "size", "pace", "language")[:most]
    )
    return tuple(Demand(**row) for row in rows)


def call_all(now: datetime | None = None, *, may_open: bool = True) -> int:
    """Call users to tables that fit their wishes, and open tables for them. Return the calls.

    `may_open` is False where another worker may do the same now: both would open a table.
    """
    now = now or timezone.now()
    _take_calls_back()
    Wish.objects.filter(until__lte=now).delete()
    waiting = [
        wish
        for wish in Wish.objects.filter(user__is_active=True).select_related("user")
        if wish.called_at is None or wish.called_at + _BETWEEN_CALLS <= now
    ]
    if not waiting:
        return 0
    gathering = [table for table in read_open_tables().gathering if table.has_room]
    called = {wish.pk for wish in waiting if _call_to_any(wish, gathering, now)}
    if not may_open:
        return len(called)
    others = [wish for wish in waiting if wish.pk not in called and wish.table_id is None]
    host = _open_for(others, now)
    return len(called) + (host is not None)


def _call_to_any(wish: Wish, gathering: Iterable[ListedTable], now: datetime) -> bool:
    """Call the user to the fullest table that fits. Return whether there was a new one."""
    fitting = sorted(
        (table for table in gathering if table.fits(filters_of(wish))),
        key=lambda table: (-len(table.people), table.pk),
    )
    for found in fitting:
        if wish.user_id in found.people:
            # The user sits at what they waited for.
            wish.delete()
            return False
        if found.pk != wish.table_id and _may_join(wish.user, found):
            return _call(wish, found.pk, found.code, now)
    return False


def _may_join(user: User, found: ListedTable) -> bool:
    # At a blind table, a call that does not come would tell who sits there.
    if not found.is_blind and (
        Block.objects.filter(blocker__in=found.people, blocked=user).exists()
        or Block.objects.filter(blocker=user, blocked__in=found.people).exists()
    ):
        return False
    table = Table.objects.get(pk=found.pk)
    try:
        check_may_join(table=table, user=user)
        check_standing(table=table, user=user)
    except Refused:
        return False
    return True


def _call(wish: Wish, table_pk: int, code: str, now: datetime) -> bool:
    """Call the user. Return False if another worker has just done so, or the wish is gone."""
    as_read = Wish.objects.filter(pk=wish.pk, table=wish.table_id, called_at=wish.called_at)
    is_new = as_read.update(table=table_pk, called_at=now) > 0
    wish.table_id, wish.called_at = table_pk, now
    if not is_new:
        return False
    user = wish.user
    notify(user_pk=user.pk, kind=Notification.Kind.CALLED, about=code, now=now)
    announce_bell(user.pk)
    if not notices.is_quiet(notices.settings_of([user.pk])[user.pk], user, now):
        web_push.push_call(user=user, table=code, url=Table(code=code).get_absolute_url())
    return True


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


# Opening a table for those who wait ---------------------------------------------------------------


def _open_for(waiting: list[Wish], now: datetime) -> Table | None:
    """Open a table for the first group of users who are here and want the same."""
    seen = Presence.objects.filter(
        user__in=[wish.user_id for wish in waiting], seen_at__gt=now - STALE
    )
    here = set(seen.values_list("user", flat=True))
    present = [wish for wish in waiting if wish.user_id in here and not wish.user.is_trial]
    for first in present:
        group, wanted = _group(first, present)
        least, most = _players(wanted)
        if len(group) < least:
            continue
        terms = Terms(
            edition=wanted.edition or _edition_for(wanted.language),
            seats_wanted=min(most, max(_WANTED, least, len(group))),
            least_seats=least,
            pace=Pace(wanted.pace or Pace.NORMAL),
            visibility=Visibility.PUBLIC,
            starts=Starts.HOST,
            languages=(wanted.language,) if wanted.language else (),
        )
        try:
            table = tables.open_table(host=first.user, terms=terms)
        except Refused:
            continue
        for wish in group:
            _call(wish, table.pk, table.code, now)
        return table
    return None


def _group(first: Wish, present: list[Wish]) -> tuple[list[Wish], TableFilters]:
    """Return the wishes that go together with the first, and what all of them want."""
    group, wanted = [first], filters_of(first)
    for wish in present:
        both = _both(wanted, filters_of(wish))
        if wish.pk != first.pk and both is not None and len(group) < MOST_PLAYERS:
            group.append(wish)
            wanted = both
    return group, wanted


def _both(one: TableFilters, other: TableFilters) -> TableFilters | None:
    """Return what two wishes want together; None if they exclude each other."""
    values: dict[str, Any] = {}
    for name in ("edition", "size", "pace", "language"):
        mine, theirs = getattr(one, name), getattr(other, name)
        if mine and theirs and mine != theirs:
            return None
        values[name] = mine or theirs
    both = TableFilters(**values)
    least, most = _players(both)
    return both if least <= most else None


def _players(wanted: TableFilters) -> tuple[int, int]:
    """Return the least and the most players of a table that is wanted."""
    least, most = SIZES[wanted.size] if wanted.size else (LEAST_PLAYERS, MOST_PLAYERS)
    edition = EDITIONS[wanted.edition or _edition_for(wanted.language)]
    return max(least, edition.players[0]), min(most, edition.players[1])


def _edition_for(language: str) -> str:
    return language if language in EDITIONS else "en"
