"""Looking for a game: users say what they want to play, and get a seat or a call.

A user who wants a seat has agreed to be seated without another question: see `seating`. A user who
wants a call may be anywhere: see `calls`. Each user looks for one game at a time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from accounts.models import Notification, User
from accounts.moderation.sanctions import is_shut_out
from accounts.services.notifications import take_back
from games.models import GameRequest, Pace, Presence, Table, Visibility
from games.services import matching, sealing, site
from games.services.joining import check_games_few
from games.services.matching import Waiting
from games.services.presence import STALE
from games.wording.refusals import Refusal, Refused

Mode = GameRequest.Mode

# The paces of games that are played in one sitting.
PACES: Final = (Pace.BLITZ, Pace.NORMAL, Pace.RELAXED)
# After this long without a game, bots fill the table of a user who has agreed to them. The game
# begins within the minute that the page promises.
BOTS_AFTER: Final = timedelta(seconds=50)
# A user counts as here for this long after asking, even if no process has reported them.
_ARRIVES: Final = timedelta(seconds=15)
# For this long open pages lead to the table at which the user has sat down.
_LEADS: Final = timedelta(minutes=2)
# At most this many users are looked at in one run, those who wait longest first.
_AT_ONCE: Final = 200


class How(StrEnum):
    """What a user wants: a seat, or a call within this time."""

    SEAT = "seat"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"


_LASTS: Final = {
    How.SEAT: timedelta(minutes=30),
    How.HOUR: timedelta(hours=1),
    How.DAY: timedelta(days=1),
    How.WEEK: timedelta(weeks=1),
}


@dataclass(frozen=True, slots=True)
class Search:
    """What a user wants to play. Empty values mean any."""

    pace: str = Pace.NORMAL
    languages: tuple[str, ...] = ()
    size: str = ""


@dataclass(frozen=True, slots=True)
class Wait:
    """What the page shows of the wait for a seat."""

    request: GameRequest
    # How many users who are here want to play the same, the user included. Never enough for a game:
    # if a game did not begin although there are enough, that would show that one blocks another.
    people: int
    seconds: int
    # Whether bots are about to fill the table.
    bots_come: bool

    @property
    def is_long(self) -> bool:
        """Whether the user has waited as long as a user who takes bots."""
        return self.seconds >= BOTS_AFTER.total_seconds()


@dataclass(frozen=True, slots=True)
class Demand:
    """How many users wait to be called to the same."""

    users: int
    pace: str
    languages: tuple[str, ...]
    size: str


# What users do ------------------------------------------------------------------------------------


def request_game(
    *,
    user: User,
    search: Search,
    how: How = How.SEAT,
    takes_bots: bool = False,
    contribution_hash: str = "",
    now: datetime | None = None,
) -> None:
    """Look for a game for `user`, instead of any that they looked for before.

    Raises Refused: NO_GUESTS, SHUT_OUT, GAMES_ENOUGH, or as `site.refuse_opening`.
    """
    now = now or timezone.now()
    site.refuse_opening()
    if user.is_trial:
        raise Refused(Refusal.NO_GUESTS)
    if is_shut_out(user, now):
        raise Refused(Refusal.SHUT_OUT)
    is_seat = how == How.SEAT
    with transaction.atomic():
        check_games_few(user)
        GameRequest.objects.update_or_create(
            user=user,
            defaults={
                "mode": Mode.SEAT if is_seat else Mode.CALL,
                "pace": search.pace,
                "languages": sorted(search.languages),
                "size": search.size,
                "since": now,
                "expires_at": now + _LASTS[how],
                "bots_at": now + BOTS_AFTER if takes_bots and is_seat else None,
                "contribution_hash": sealing.read_hex(contribution_hash),
                "table": None,
                "found_at": None,
            },
        )


def take_bots(*, user: User) -> None:
    """Note that `user` wants to play with bots now, with others who agree to them."""
    soon = timezone.now() + matching.QUIET
    waiting = _waiting_for_seats().filter(user=user)
    waiting.filter(Q(bots_at=None) | Q(bots_at__gt=soon)).update(bots_at=soon)


def withdraw(*, user: User) -> None:
    """End the search of `user`."""
    GameRequest.objects.filter(user=user).exclude(mode=Mode.SEAT, found_at__isnull=False).delete()


def note_seated(*, user: User, table: Table) -> None:
    """End the search of a user who has just taken a seat, at whatever table.

    A user who waits for a call may play elsewhere meanwhile: only a public table of the pace that
    they wait for ends that.
    """
    now = timezone.now()
    _waiting_for_seats().filter(user=user).update(table=table, found_at=now)
    if table.visibility == Visibility.PUBLIC:
        GameRequest.objects.filter(user=user, mode=Mode.CALL, pace__in=("", table.pace)).delete()


# What pages show ----------------------------------------------------------------------------------


def request_of(user: User, now: datetime | None = None) -> GameRequest | None:
    """Return what `user` looks for; None if nothing, or no longer."""
    found = GameRequest.objects.filter(user=user, expires_at__gt=now or timezone.now())
    return found.exclude(mode=Mode.SEAT, found_at__isnull=False).select_related("table").first()


def table_found(user: User, now: datetime | None = None) -> Table | None:
    """Return the table at which `user` has sat down since they began to search, if it is new."""
    now = now or timezone.now()
    found = GameRequest.objects.filter(user=user, mode=Mode.SEAT, found_at__gt=now - _LEADS)
    request = found.select_related("table").first()
    table = None if request is None else request.table
    if table is None or not table.is_live or not table.seats.filter(user=user).exists():
        return None
    take_back(kind=Notification.Kind.CALLED, user_pk=user.pk, about=table.code)
    return table


def wait_of(user: User, now: datetime | None = None) -> Wait | None:
    """Return how `user` waits for a seat, and with how many others; None if they do not."""
    now = now or timezone.now()
    request = request_of(user, now)
    if request is None or request.mode != Mode.SEAT:
        return None
    own = waiting_of(request)
    waiting = [waiting_of(other) for other in waiting_here(now)]
    sizes = [
        min(len({user.pk} | {one.user for one in waiting if offer.suits(one)}), offer.least - 1)
        for offer in matching.offers([own, *waiting])
        if offer.suits(own)
    ]
    return Wait(
        request,
        people=max(sizes, default=1),
        seconds=max(0, int((now - request.since).total_seconds())),
        bots_come=request.bots_at is not None and request.bots_at <= now + matching.QUIET,
    )


def demand(
    *, besides: int | None = None, now: datetime | None = None, most: int = 5
) -> tuple[Demand, ...]:
    """Return what most users wait to be called to, without names; `besides` does not count."""
    rows = _waiting_for_calls(now or timezone.now()).exclude(user=besides)
    counted = rows.values_list("pace", "languages", "size").annotate(users=Count("pk"))
    return tuple(
        Demand(users, pace, tuple(languages), size)
        for pace, languages, size, users in counted.order_by("-users", "pace", "size")[:most]
    )


# What the worker needs ----------------------------------------------------------------------------


def forget_old(now: datetime) -> None:
    """Delete requests that are over, those of users who left the page, and old results."""
    GameRequest.objects.filter(Q(expires_at__lte=now) | Q(user__is_active=False)).delete()
    GameRequest.objects.filter(mode=Mode.SEAT, found_at__lte=now - _LEADS).delete()
    gone = _waiting_for_seats().filter(since__lte=now - _ARRIVES)
    gone.exclude(user__in=_here(now)).delete()


def waiting_here(now: datetime) -> list[GameRequest]:
    """Return the requests of users who wait for a seat and are here, the oldest first."""
    waiting = _waiting_for_seats().filter(user__is_active=True, expires_at__gt=now)
    waiting = waiting.filter(Q(user__in=_here(now)) | Q(since__gt=now - _ARRIVES))
    return list(waiting.select_related("user")[:_AT_ONCE])


def waiting_for_calls(now: datetime) -> list[GameRequest]:
    """Return the requests of users who wait for a call, the oldest first."""
    return list(_waiting_for_calls(now).select_related("user"))


def here_among(requests: Sequence[GameRequest], now: datetime) -> list[GameRequest]:
    """Return the requests of those users who are here."""
    here = set(_here(now).filter(user__in=[request.user_id for request in requests]))
    return [request for request in requests if request.user_id in here]


def waiting_of(request: GameRequest) -> Waiting:
    """Return what the matcher needs to know of a request."""
    return Waiting(
        user=request.user_id,
        since=request.since,
        pace=request.pace,
        languages=tuple(request.languages),
        size=request.size,
        bots_at=request.bots_at,
    )


def lock(requests: Sequence[GameRequest]) -> list[GameRequest] | None:
    """Lock the users of these requests and the requests; None if one of them has changed.

    Every service that seats a user locks the user before the request, so two runs at once never
    wait for each other in a circle.
    """
    pks = [request.user_id for request in requests]
    users = User.objects.select_for_update(no_key=True).filter(pk__in=pks, is_active=True)
    known = {user.pk: user for user in users.order_by("pk")}
    rows = GameRequest.objects.select_for_update().filter(user__in=known).order_by("user")
    now = {row.user_id: row for row in rows}
    for request in requests:
        row = now.get(request.user_id)
        if row is None or _state(row) != _state(request):
            return None
        row.user = known[row.user_id]
    return [now[pk] for pk in pks]


def _state(request: GameRequest) -> tuple[object, ...]:
    return (waiting_of(request), request.mode, request.found_at)


def _waiting_for_seats() -> QuerySet[GameRequest]:
    return GameRequest.objects.filter(mode=Mode.SEAT, found_at__isnull=True)


def _waiting_for_calls(now: datetime) -> QuerySet[GameRequest]:
    return GameRequest.objects.filter(mode=Mode.CALL, expires_at__gt=now, user__is_active=True)


def _here(now: datetime) -> QuerySet[Presence, int]:
    return Presence.objects.filter(seen_at__gt=now - STALE).values_list("user", flat=True)
