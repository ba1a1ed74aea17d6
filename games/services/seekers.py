"""Playing at once: users who are here and want the same are seated together.

A user presses "Play now", and by that agrees to be seated. A worker looks every few seconds, and
every request of a user who waits looks too. Enough users for a game get a table that begins at
once, or fill a public table that gathers. After a minute the others are asked whether bots may
fill the table; only users who agree play with bots.

Users who look for a table without being here make a wish: see `wishes`, which also calls them to
tables that gather.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from django.core.cache import cache
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import Block, Notification, User
from accounts.moderation.sanctions import is_shut_out, standing
from accounts.services.notifications import notify, take_back
from accounts.services.signals import pairs_on_same_device
from games.models import Chat, Pace, Presence, Seat, Seeker, Starts, Table, Terms, Visibility
from games.selectors.open_tables import ListedTable, TableFilters, read_open_tables
from games.services import matching, ready, same_device, sealing, site, tables
from games.services.announcements import announce_bell
from games.services.hosting import refuse_kicked
from games.services.joining import check_games_few, check_may_join, check_standing
from games.services.locked_tables import lock_gathering_table, save_changes
from games.services.matching import Match, Waiting
from games.services.presence import STALE
from games.wording.refusals import Refusal, Refused

# The paces of games that are played in one sitting.
PACES: Final = (Pace.BLITZ, Pace.NORMAL, Pace.RELAXED)
# After this long without a game, the user is asked whether bots may fill the table.
ASKED_AFTER: Final = timedelta(seconds=60)
# A user counts as here for this long after a request, even if no process has reported them.
_ARRIVES: Final = timedelta(seconds=15)
# For this long open pages lead to the table at which the user has sat down.
_LEADS: Final = timedelta(minutes=2)
# A search ends by itself after this time.
_LONGEST: Final = timedelta(minutes=30)
# At most this many users are looked at in one run, those who wait longest first.
_AT_ONCE: Final = 200
# The cache's key for a run within the last second.
_RECENT: Final = "seekers-settled"


@dataclass(frozen=True, slots=True)
class Search:
    """What a user wants to play. Empty values mean any."""

    pace: str = Pace.NORMAL
    languages: tuple[str, ...] = field(default=())
    edition: str = ""
    size: str = ""


@dataclass(frozen=True, slots=True)
class Wait:
    """What the page shows of a user's wait."""

    seeker: Seeker
    # How many users who are here want to play the same, the user included. Never enough for a game:
    # if a game did not begin although there are enough, that would show that one blocks another.
    people: int
    seconds: int
    is_asked: bool
    takes_bots: bool


# What users do ------------------------------------------------------------------------------------


def seek(
    *, user: User, search: Search, contribution_hash: str = "", now: datetime | None = None
) -> None:
    """Look for a game for `user`, who is seated as soon as there is one.

    A second press with the same choices changes nothing. Raises Refused: NO_GUESTS, SHUT_OUT,
    GAMES_ENOUGH, or as `site.refuse_opening`.
    """
    now = now or timezone.now()
    site.refuse_opening()
    if user.is_trial:
        raise Refused(Refusal.NO_GUESTS)
    if is_shut_out(user, now):
        raise Refused(Refusal.SHUT_OUT)
    wanted = {
        "pace": search.pace,
        "languages": sorted(search.languages),
        "edition": search.edition,
        "size": search.size,
    }
    with transaction.atomic():
        check_games_few(user)
        same = Seeker.objects.filter(user=user, table=None, **wanted)
        if same.exists():
            # The browser of the last press is the one that is open, and reveals its part.
            if drawn := sealing.read_hex(contribution_hash):
                same.update(contribution_hash=drawn, changed_at=now)
            return
        Seeker.objects.update_or_create(
            user=user,
            defaults=wanted
            | {
                "since": now,
                "changed_at": now,
                "ask_at": now + ASKED_AFTER,
                "bots_since": None,
                "contribution_hash": sealing.read_hex(contribution_hash),
                "table": None,
            },
        )


def take_bots(*, user: User, now: datetime | None = None) -> None:
    """Note that `user` agrees to play with bots if there are not enough people."""
    now = now or timezone.now()
    waiting = Seeker.objects.filter(user=user, table=None, bots_since=None)
    waiting.update(bots_since=now, changed_at=now)


def wait_on(*, user: User, now: datetime | None = None) -> None:
    """Note that `user` waits for people only. They are asked again later."""
    now = now or timezone.now()
    waiting = Seeker.objects.filter(user=user, table=None)
    waiting.update(bots_since=None, ask_at=now + ASKED_AFTER, changed_at=now)


def stop_seeking(*, user: User) -> None:
    """End the search of `user`."""
    Seeker.objects.filter(user=user, table=None).delete()


def table_found(user: User, now: datetime | None = None) -> Table | None:
    """Return the table at which `user` has sat down since they began to search, if it is new."""
    now = now or timezone.now()
    found = Seeker.objects.filter(user=user, table__isnull=False, changed_at__gt=now - _LEADS)
    seeker = found.select_related("table").first()
    if seeker is None or seeker.table is None or not seeker.table.is_live:
        return None
    if not seeker.table.seats.filter(user=user).exists():
        return None
    take_back(kind=Notification.Kind.CALLED, user_pk=user.pk, about=seeker.table.code)
    return seeker.table


def is_seeking(user: User) -> bool:
    """Return whether `user` waits for a game."""
    return Seeker.objects.filter(user=user, table=None).exists()


def wait_of(user: User, now: datetime | None = None) -> Wait | None:
    """Return how long `user` has waited and with how many others; None if they do not wait."""
    now = now or timezone.now()
    seeker = Seeker.objects.filter(user=user, table=None).first()
    if seeker is None:
        return None
    waiting = [_waiting(other) for other in _present(now)]
    own = _waiting(seeker)
    sizes = [
        min(len({user.pk} | {one.user for one in waiting if offer.suits(one)}), offer.least - 1)
        for offer in matching.offers([own, *waiting])
        if offer.suits(own)
    ]
    return Wait(
        seeker,
        people=max(sizes, default=1),
        seconds=max(0, int((now - seeker.since).total_seconds())),
        is_asked=seeker.bots_since is None and seeker.ask_at <= now,
        takes_bots=seeker.bots_since is not None,
    )


# What the worker and the requests do --------------------------------------------------------------


def settle(now: datetime | None = None) -> int:
    """Seat users who can play together. Return how many games or tables got users."""
    now = now or timezone.now()
    _forget_gone(now)
    seekers = {seeker.user_id: seeker for seeker in _present(now)}
    if not seekers:
        return 0
    apart = _pairs_apart(seekers.keys())
    filled = 0
    for found in _gathering():
        users = _fill(found, list(seekers.values()), now)
        filled += bool(users)
        for user in users:
            del seekers[user]
    waiting = [_waiting(seeker) for seeker in seekers.values()]
    possible = matching.match_people(waiting, apart, now)
    busy = {user for match in possible for user in match.users}
    others = [one for one in waiting if one.user not in busy]
    possible += matching.match_with_bots(others, apart, now)
    begun = [
        _begin(match, [seekers[user] for user in match.users], now)
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


def _forget_gone(now: datetime) -> None:
    """Delete the rows of users who have left, of searches that last too long, and old results."""
    Seeker.objects.filter(table__isnull=False, changed_at__lte=now - _LEADS).delete()
    waiting = Seeker.objects.filter(table=None)
    waiting.filter(Q(since__lte=now - _LONGEST) | Q(user__is_active=False)).delete()
    here = Presence.objects.filter(seen_at__gt=now - STALE)
    gone = waiting.filter(changed_at__lte=now - _ARRIVES).exclude(user__in=here.values("user"))
    gone.delete()


def _present(now: datetime) -> list[Seeker]:
    """Return the users who wait and are here, those who wait longest first."""
    here = Presence.objects.filter(seen_at__gt=now - STALE)
    waiting = Seeker.objects.filter(table=None, user__is_active=True)
    waiting = waiting.filter(Q(user__in=here.values("user")) | Q(changed_at__gt=now - _ARRIVES))
    return list(waiting.select_related("user")[:_AT_ONCE])


def _waiting(seeker: Seeker) -> Waiting:
    return Waiting(
        user=seeker.user_id,
        pace=seeker.pace,
        since=seeker.since,
        languages=tuple(seeker.languages),
        edition=seeker.edition,
        size=seeker.size,
        bots_since=seeker.bots_since,
    )


def _pairs_apart(users: Collection[int]) -> set[frozenset[int]]:
    """Return the pairs of these users who block each other or share a browser. Two statements."""
    if len(users) < 2:
        return set()
    blocks = Block.objects.filter(blocker__in=users, blocked__in=users)
    apart = {frozenset(pair) for pair in blocks.values_list("blocker", "blocked")}
    return apart | {frozenset(pair) for pair in pairs_on_same_device(users)}


# A game of their own ------------------------------------------------------------------------------


def _begin(match: Match, seekers: Sequence[Seeker], now: datetime) -> bool:
    """Open a table for these users and begin the game. Return whether it has begun.

    If one of them has changed their mind or sat down elsewhere meanwhile, nothing happens.
    """
    try:
        with transaction.atomic():
            people = _lock(seekers)
            if people is None:
                return False
            offer = match.offer
            seats = len(people) + match.bots
            terms = Terms(
                edition=offer.edition,
                seats_wanted=seats,
                least_seats=seats,
                pace=Pace(offer.pace),
                visibility=Visibility.PUBLIC,
                starts=Starts.FULL,
                languages=(offer.language,) if offer.language else (),
                is_rated=not match.bots
                and not any(standing(one, now).unrated for one, _ in people),
                bots=match.bots,
            )
            table = tables.begin_for(people=people, terms=terms)
            _notify(table, [user for user, _ in people], now)
    except tables.CannotSit as error:
        # The others try again without this user.
        stop_seeking(user=error.user)
        return False
    except Refused:
        return False
    return True


def _lock(seekers: Sequence[Seeker]) -> list[tuple[User, str]] | None:
    """Lock these users, and return them with their hashes; None if a search has changed.

    Every service that seats a user locks the user before the search, so two runs at once never
    wait for each other in a circle.
    """
    pks = [seeker.user_id for seeker in seekers]
    users = User.objects.select_for_update(no_key=True).filter(pk__in=pks, is_active=True)
    known = {user.pk: user for user in users.order_by("pk")}
    rows = Seeker.objects.select_for_update().filter(user__in=pks, table=None).order_by("user")
    now = {row.user_id: row.changed_at for row in rows}
    if any(now.get(seeker.user_id) != seeker.changed_at for seeker in seekers):
        return None
    if len(known) < len(pks):
        return None
    return [(known[seeker.user_id], seeker.contribution_hash) for seeker in seekers]


def _notify(table: Table, users: Iterable[User], now: datetime) -> None:
    for user in users:
        notify(user_pk=user.pk, kind=Notification.Kind.CALLED, about=table.code, now=now)
        announce_bell(user.pk)


# A table that gathers -----------------------------------------------------------------------------


def _gathering() -> list[ListedTable]:
    """Return the public tables that users may be seated at, the fullest first.

    The host is there, no bots sit there, the rules are an edition's, and names are known: at a
    blind table it would show who sits there if a user is not seated.
    """
    found = [
        table
        for table in read_open_tables().gathering
        if table.has_room
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


def _fill(found: ListedTable, seekers: Sequence[Seeker], now: datetime) -> list[int]:
    """Seat users at a table that gathers, if that is enough for a game. Return who sits there.

    Everyone else at the table is asked whether they are ready.
    """
    needed = found.wanted if found.starts == Starts.FULL else found.least
    fitting = [seeker for seeker in seekers if _fits(seeker, found)]
    if found.seated + len(fitting) < needed:
        return []
    apart = _pairs_apart([*found.people, *(seeker.user_id for seeker in fitting)])
    table = Table.objects.get(pk=found.pk)
    fitting = [
        seeker
        for seeker in fitting
        if not any(frozenset((seeker.user_id, one)) in apart for one in found.people)
        and _may_join(seeker.user, table)
    ]
    group = matching.together([_waiting(seeker) for seeker in fitting], apart)
    chosen = {one.user for one in group[: found.wanted - found.seated]}
    if not chosen or found.seated + len(chosen) < needed:
        return []
    return _sit(found, [seeker for seeker in fitting if seeker.user_id in chosen], now)


def _fits(seeker: Seeker, found: ListedTable) -> bool:
    filters = TableFilters(edition=seeker.edition, size=seeker.size, pace=seeker.pace)
    speaks = not (seeker.languages and found.languages) or not set(found.languages).isdisjoint(
        seeker.languages
    )
    return speaks and seeker.user_id not in found.people and found.fits(filters)


def _may_join(user: User, table: Table) -> bool:
    """Return whether `join_table` would take this user. One refusal there would stop the group."""
    try:
        refuse_kicked(table=table, user=user)
        check_may_join(table=table, user=user)
        check_standing(table=table, user=user)
        same_device.refuse_seat(table=table, user=user)
    except Refused:
        return False
    return True


def _sit(found: ListedTable, seekers: Sequence[Seeker], now: datetime) -> list[int]:
    """Seat all of these users or none: the table, or a search, may have changed meanwhile."""
    table = Table(pk=found.pk, code=found.code)
    try:
        with transaction.atomic():
            _, seats = lock_gathering_table(table)
            people = _lock(seekers)
            if people is None or {seat.user_id for seat in seats} != found.people:
                return []
            for user, contribution_hash in people:
                tables.join_table(table=table, user=user, contribution_hash=contribution_hash)
            locked = Table.objects.get(pk=table.pk)
            users = [user for user, _ in people]
            ready.call_with(locked, [user.pk for user in users], now)
            save_changes(locked)
            _notify(locked, users, now)
    except Refused:
        return []
    return [seeker.user_id for seeker in seekers]
