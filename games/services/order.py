"""What moderators may do at a table: freeze and thaw it, close it, void its game, replace a seat.

Each act is stored as a `Ruling`, shown to everyone at the table in their own language, and written
to the audit, in the same transaction as its effect. A moderator who is a party to the table
(`games.parties`) may not act there.

While a table is frozen, its clocks stand still: a game keeps its alarm times but does not wake
(`deadlines.freeze`), and ready checks and motions do not run out. The thaw moves all of these times
by the duration of the freeze. Meanwhile only talk is possible.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, TypeGuard

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import transaction
from django.utils import timezone

from accounts.models import Notification, User
from accounts.roles import Rank, may_act_on, rank
from accounts.services.audit import audit_write
from accounts.services.notifications import notify
from games.models import Game, Kick, Motion, Ruling, Seat, Table
from games.parties import is_party, seems_party
from games.refusals import Refusal, Refused
from games.rules.chance import bot_contribution
from games.services import deadlines, play, ready, showings, tables
from games.services.gathering import changed, gathering, hand_over
from games.services.joining import check_games_few, check_standing
from games.services.live import announce_lobby
from games.services.play import Sitting
from games.services.replacing import seat_pass
from games.services.substitutes import refuse_who_knows_more


class Heir(StrEnum):
    """The new owner of a seat."""

    BOT = "bot"
    # The first user on the waiting list.
    WAITING = "waiting"


def may_keep_order(*, user: AbstractBaseUser | AnonymousUser, table: Table) -> bool:
    """Return whether `user` may rule at `table`: a moderator who is not a party to it."""
    return _is_moderator(user) and not is_party(user.pk, table)


def may_see_order(*, user: AbstractBaseUser | AnonymousUser, table: Table) -> bool:
    """Return whether `user` sees the page of acts. Not all who see it may act (`games.parties`)."""
    return _is_moderator(user) and not seems_party(user.pk, table)


def _is_moderator(user: AbstractBaseUser | AnonymousUser) -> TypeGuard[User]:
    return isinstance(user, User) and rank(user) >= Rank.MODERATOR


def table_freeze(
    *, actor: User, table: Table, because: str, reason: str, now: datetime | None = None
) -> Ruling:
    """Stop every clock of a table until `table_thaw`. Overdue moves happen first.

    `because` (`Ruling.Because`) is shown at the table; `reason` is for moderators. Raises
    PermissionError if `may_keep_order` is false, and Refused: IS_FROZEN, NOT_OPEN, GAME_OVER.
    """
    now = now or timezone.now()
    with transaction.atomic():
        sitting, locked = _sit_down(actor, table, now)
        if locked.is_frozen:
            raise Refused(Refusal.IS_FROZEN)
        locked.frozen_at = now if sitting is None else sitting.now
        locked.frozen_because = because
        if sitting is not None:
            deadlines.freeze(sitting.game)
        return _rule(actor, locked, sitting, Ruling.Kind.FREEZE, because, reason, now)


def table_thaw(*, actor: User, table: Table, reason: str, now: datetime | None = None) -> Ruling:
    """Resume the clocks with the time that was left. Raises as `table_freeze`, and NOT_FROZEN."""
    now = now or timezone.now()
    with transaction.atomic():
        sitting, locked = _sit_down(actor, table, now)
        if locked.frozen_at is None:
            raise Refused(Refusal.NOT_FROZEN)
        at = now if sitting is None else sitting.now
        # This machine's clock may be behind that of the machine that froze the table.
        stood = max(at - locked.frozen_at, timedelta())
        because, locked.frozen_at, locked.frozen_because = locked.frozen_because, None, ""
        if locked.asked_until is not None:
            locked.asked_until += stood
        locked.quiet_since += stood
        if sitting is not None:
            deadlines.thaw(sitting.game, stood)
        else:
            ready.note_seats(locked)
        return _rule(actor, locked, sitting, Ruling.Kind.THAW, because, reason, now)


def table_close(
    *, actor: User, table: Table, because: str, reason: str, now: datetime | None = None
) -> Ruling:
    """Close a table that still gathers. Raises as `table_freeze`, and HAS_BEGUN."""
    now = now or timezone.now()
    with transaction.atomic():
        sitting, locked = _sit_down(actor, table, now, when_over=True)
        if sitting is not None:
            raise Refused(Refusal.HAS_BEGUN)
        locked.stage = Table.Stage.CLOSED
        _tell(locked, _people(locked.seats.all()), Ruling.Kind.CLOSE)
        return _rule(actor, locked, None, Ruling.Kind.CLOSE, because, reason, now)


def game_void(
    *, actor: User, table: Table, because: str, reason: str, now: datetime | None = None
) -> Ruling:
    """Void a game: a running one ends without a winner, a finished one loses its winner.

    The record keeps the actions and what followed from them by the rules. Raises as `table_freeze`,
    and NOT_STARTED, IS_VOID.
    """
    now = now or timezone.now()
    with transaction.atomic():
        sitting, locked = _sit_down(actor, table, now, when_over=True)
        if sitting is None:
            raise Refused(Refusal.NOT_STARTED)
        if sitting.game.stopped == Game.Stopped.VOIDED:
            raise Refused(Refusal.IS_VOID)
        sitting.stop(Game.Stopped.VOIDED)
        showings.forget_game(game=sitting.game)
        announce_lobby()
        _tell(locked, _people(sitting.seats), Ruling.Kind.VOID)
        return _rule(actor, locked, sitting, Ruling.Kind.VOID, because, reason, now)


def seat_replace(
    *,
    actor: User,
    table: Table,
    number: int,
    name: str,
    heir: str,
    because: str,
    reason: str,
    now: datetime | None = None,
) -> Ruling:
    """Give the seat of a person, or of a deleted account, to a bot or to the first user in line.

    `name` is the name that the moderator saw there. Before the game, a bot gets the seat, and the
    person cannot return. Raises as `table_freeze`, except IS_FROZEN; and STALE, IS_A_BOT, NOT_BELOW
    if the player is a moderator of at least the same rank, NOBODY_WAITS.
    """
    now = now or timezone.now()
    with transaction.atomic():
        sitting, locked = _sit_down(actor, table, now)
        seats = list(locked.seats.all()) if sitting is None else sitting.seats
        seat = next((seat for seat in seats if seat.number == number and seat.name == name), None)
        if seat is None:
            raise Refused(Refusal.STALE)
        if seat.is_bot:
            raise Refused(Refusal.IS_A_BOT)
        gone = seat.user
        if gone is not None and not may_act_on(actor, gone):
            raise Refused(Refusal.NOT_BELOW)
        newcomer = _first_waiting(sitting) if heir == Heir.WAITING else None
        told = _told_name(locked, seats, seat, newcomer)
        if sitting is None:
            _seat_a_bot(locked, seats, seat, told)
        else:
            _end_motion(sitting, number, newcomer)
            seat_pass(sitting, number, newcomer=newcomer, name=told)
        if gone is not None:
            _tell(locked, [gone.pk], Ruling.Kind.REPLACE)
        return _rule(
            actor,
            locked,
            sitting,
            Ruling.Kind.REPLACE,
            because,
            reason,
            now,
            seat=number,
            gone=gone,
            gone_name=name,
            newcomer=newcomer,
            newcomer_name=told,
            is_bot=newcomer is None,
        )


def _sit_down(
    actor: User, table: Table, now: datetime, *, when_over: bool = False
) -> tuple[Sitting | None, Table]:
    """Lock the table for a moderator who may rule there, and settle what is overdue.

    The sitting is None while the table gathers. Raises PermissionError, Refused.
    """
    if not may_keep_order(user=actor, table=table):
        raise PermissionError
    sitting = play.sit_down_at(table, now)
    if sitting is None:
        # Games are locked before their tables. If a game begins in between, this call is refused,
        # and the next click finds the game.
        locked, _ = gathering(table, when_frozen=True)
    else:
        locked = sitting.table
        sitting.settle()
        if sitting.is_over and not when_over:
            raise Refused(Refusal.GAME_OVER)
    # Check again: someone may have sat down meanwhile.
    if not may_keep_order(user=actor, table=locked):
        raise PermissionError
    return sitting, locked


def _rule(
    actor: User,
    table: Table,
    sitting: Sitting | None,
    kind: Ruling.Kind,
    because: str,
    reason: str,
    now: datetime,
    **of_a_seat: Any,
) -> Ruling:
    """Save the ruling, save and announce the locked table, and write the audit, in this order."""
    table.ruled += 1
    ruling = Ruling.objects.create(
        table=table,
        ordinal=table.ruled,
        kind=kind,
        because=because,
        reason=reason,
        by=actor,
        at=now if sitting is None else sitting.now,
        number=None if sitting is None else sitting.position.length,
        **of_a_seat,
    )
    if sitting is None:
        changed(table)
    else:
        sitting.note_affairs()
        sitting.save()
    audit_write(
        actor=actor,
        act=f"table_{kind}",
        about=ruling.gone,
        table=table.code,
        data={"ruling": ruling.ordinal, "because": because, "reason": reason, "seat": ruling.seat},
    )
    return ruling


def _first_waiting(sitting: Sitting | None) -> User:
    """Return the first user on the waiting list who may take the seat. Raises Refused."""
    listed = () if sitting is None else sitting.affairs.substitutes
    for substitute in listed:
        try:
            if substitute.user.is_active:
                refuse_who_knows_more(table=substitute.table, user=substitute.user)
                check_standing(table=substitute.table, user=substitute.user)
                check_games_few(substitute.user)
                return substitute.user
        except Refused:
            # Since they joined the list they have lost the right to a seat, or sat down elsewhere.
            continue
    raise Refused(Refusal.NOBODY_WAITS)


def _told_name(table: Table, seats: list[Seat], seat: Seat, newcomer: User | None) -> str:
    """Return the seat's new name. At a blind table, the name stays."""
    if table.is_blind:
        return seat.name
    return tables.new_bot_name(seats) if newcomer is None else newcomer.username


def _seat_a_bot(table: Table, seats: list[Seat], seat: Seat, name: str) -> None:
    """Give the seat to a bot before the game. The person who had it cannot sit down again."""
    if seat.user_id is not None:
        Kick.objects.get_or_create(table=table, user_id=seat.user_id)
    seat.user, seat.bot, seat.name = None, Seat.Bot.CAUTIOUS, name
    seat.contribution_hash = ""
    seat.contribution = bot_contribution(table.commitment, seat.number)
    seat.save(update_fields=["user", "bot", "name", "contribution_hash", "contribution"])
    hand_over(table, seats)
    ready.note_seats(table)


def _end_motion(sitting: Sitting, number: int, newcomer: User | None) -> None:
    """Let the open motion lapse if the seat is involved: the table voted on something else."""
    motion = sitting.affairs.motion
    if motion is None:
        return
    is_of_seat = number in (motion.mover, motion.seat) or str(number) in motion.votes
    if is_of_seat or (newcomer is not None and motion.substitute_id == newcomer.pk):
        sitting.settle_motion(Motion.Outcome.LAPSED)


def _people(seats: Iterable[Seat]) -> list[int]:
    return [seat.user_id for seat in seats if seat.user_id is not None]


def _tell(table: Table, users: Iterable[int], kind: Ruling.Kind) -> None:
    """Notify these users, wherever they are now."""
    for user_pk in users:
        notify(
            user_pk=user_pk,
            kind=Notification.Kind.RULED,
            about=table.code,
            data={"kind": str(kind)},
        )
