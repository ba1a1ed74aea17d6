"""What moderators may do at a table: freeze and thaw it, close it, void its game, replace a seat.

Each act is stored as a `Ruling`, shown to everyone at the table in their own language, and written
to the audit, in the same transaction as its effect. A moderator who is a party to the table
(`games.moderation.conflicts_of_interest`) may not act there.

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

from accounts.auth.roles import Rank, may_act_on, rank
from accounts.models import Notification, User
from accounts.services.audit import write_audit
from accounts.services.notifications import notify
from games import bots
from games.models import Game, Kick, Motion, Ruling, Seat, Table
from games.moderation.conflicts_of_interest import is_party, seems_party
from games.rules.chance import bot_contribution
from games.services import archive, attendance, bot_seats, deadlines, play, ratings, ready
from games.services.announcements import announce_lobby
from games.services.joining import check_games_few, check_standing
from games.services.locked_tables import hand_over, lock_gathering_table, save_changes
from games.services.play import LockedGame
from games.services.seat_transfer import transfer_seat
from games.services.substitutes import refuse_informed_substitute
from games.wording.refusals import Refusal, Refused


class Heir(StrEnum):
    """The new owner of a seat."""

    BOT = "bot"
    # The first user on the waiting list.
    WAITING = "waiting"


def may_moderate_table(*, user: AbstractBaseUser | AnonymousUser, table: Table) -> bool:
    """Return whether `user` may rule at `table`: a moderator who is not a party to it."""
    return _is_moderator(user) and not is_party(user.pk, table)


def may_see_table_moderation(*, user: AbstractBaseUser | AnonymousUser, table: Table) -> bool:
    """Return whether `user` sees the page of acts. Not all who see it may act.

    See `games.moderation.conflicts_of_interest`.
    """
    return _is_moderator(user) and not seems_party(user.pk, table)


def _is_moderator(user: AbstractBaseUser | AnonymousUser) -> TypeGuard[User]:
    return isinstance(user, User) and rank(user) >= Rank.MODERATOR


def freeze_table(
    *, actor: User, table: Table, because: str, reason: str, now: datetime | None = None
) -> Ruling:
    """Stop every clock of a table until `thaw_table`. Overdue moves happen first.

    `because` (`Ruling.Because`) is shown at the table; `reason` is for moderators. Raises
    PermissionError if `may_moderate_table` is false, and Refused: IS_FROZEN, NOT_OPEN, GAME_OVER.
    """
    now = now or timezone.now()
    with transaction.atomic():
        locked_game, locked = _lock_table(actor, table, now)
        if locked.is_frozen:
            raise Refused(Refusal.IS_FROZEN)
        if locked_game is not None:
            # The thaw gives back the time since the freeze only.
            locked_game.resume()
        locked.frozen_at = now if locked_game is None else locked_game.now
        locked.frozen_because = because
        if locked_game is not None:
            deadlines.freeze(locked_game.game)
        return _record_ruling(actor, locked, locked_game, Ruling.Kind.FREEZE, because, reason, now)


def thaw_table(*, actor: User, table: Table, reason: str, now: datetime | None = None) -> Ruling:
    """Resume the clocks with the time that was left. Raises as `freeze_table`, and NOT_FROZEN."""
    now = now or timezone.now()
    with transaction.atomic():
        locked_game, locked = _lock_table(actor, table, now)
        if locked.frozen_at is None:
            raise Refused(Refusal.NOT_FROZEN)
        at = now if locked_game is None else locked_game.now
        # This machine's clock may be behind that of the machine that froze the table.
        stood = max(at - locked.frozen_at, timedelta())
        because, locked.frozen_at, locked.frozen_because = locked.frozen_because, None, ""
        if locked.asked_until is not None:
            locked.asked_until += stood
        if locked.met_at is not None:
            locked.met_at += stood
        locked.quiet_since += stood
        if locked_game is not None:
            deadlines.thaw(locked_game.game, stood)
        else:
            ready.note_seats(locked)
        return _record_ruling(actor, locked, locked_game, Ruling.Kind.THAW, because, reason, now)


def close_table(
    *, actor: User, table: Table, because: str, reason: str, now: datetime | None = None
) -> Ruling:
    """Close a table that still gathers. Raises as `freeze_table`, and HAS_BEGUN."""
    now = now or timezone.now()
    with transaction.atomic():
        locked_game, locked = _lock_table(actor, table, now, when_over=True)
        if locked_game is not None:
            raise Refused(Refusal.HAS_BEGUN)
        locked.stage = Table.Stage.CLOSED
        _notify(locked, _people(locked.seats.all()), Ruling.Kind.CLOSE)
        return _record_ruling(actor, locked, None, Ruling.Kind.CLOSE, because, reason, now)


def void_game(
    *, actor: User, table: Table, because: str, reason: str, now: datetime | None = None
) -> Ruling:
    """Void a game: a running one ends without a winner, a finished one loses its winner.

    The record keeps the actions and what followed from them by the rules. Raises as `freeze_table`,
    and NOT_STARTED, IS_VOID.
    """
    now = now or timezone.now()
    with transaction.atomic():
        locked_game, locked = _lock_table(actor, table, now, when_over=True)
        if locked_game is None:
            raise Refused(Refusal.NOT_STARTED)
        if locked_game.game.stopped == Game.Stopped.VOIDED:
            raise Refused(Refusal.IS_VOID)
        locked_game.stop(Game.Stopped.VOIDED)
        attendance.delete_attendance(game=locked_game.game)
        ratings.note_voided(game=locked_game.game)
        archive.note_voided(game=locked_game.game)
        announce_lobby()
        _notify(locked, _people(locked_game.seats), Ruling.Kind.VOID)
        return _record_ruling(actor, locked, locked_game, Ruling.Kind.VOID, because, reason, now)


def replace_seat(
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
    person cannot return. Raises as `freeze_table`, except IS_FROZEN; and STALE, IS_A_BOT, NOT_BELOW
    if the player is a moderator of at least the same rank, NOBODY_WAITS.
    """
    now = now or timezone.now()
    with transaction.atomic():
        locked_game, locked = _lock_table(actor, table, now)
        seats = list(locked.seats.all()) if locked_game is None else locked_game.seats
        seat = next((seat for seat in seats if seat.number == number and seat.name == name), None)
        if seat is None:
            raise Refused(Refusal.STALE)
        if seat.is_bot:
            raise Refused(Refusal.IS_A_BOT)
        gone = seat.user
        if gone is not None and not may_act_on(actor, gone):
            raise Refused(Refusal.NOT_BELOW)
        newcomer = _first_waiting(locked_game) if heir == Heir.WAITING else None
        told = _announced_name(locked, seats, seat, newcomer)
        if locked_game is None:
            _seat_a_bot(locked, seats, seat, told)
        else:
            _end_motion(locked_game, number, newcomer)
            transfer_seat(locked_game, number, newcomer=newcomer, name=told)
        if gone is not None:
            _notify(locked, [gone.pk], Ruling.Kind.REPLACE)
        return _record_ruling(
            actor,
            locked,
            locked_game,
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


def _lock_table(
    actor: User, table: Table, now: datetime, *, when_over: bool = False
) -> tuple[LockedGame | None, Table]:
    """Lock the table for a moderator who may rule there, and settle what is overdue.

    The locked_game is None while the table gathers. Raises PermissionError, Refused.
    """
    if not may_moderate_table(user=actor, table=table):
        raise PermissionError
    locked_game = play.lock_game_at(table, now)
    if locked_game is None:
        # Games are locked before their tables. If a game begins in between, this call is refused,
        # and the next click finds the game.
        locked, _ = lock_gathering_table(table, when_frozen=True)
    else:
        locked = locked_game.table
        locked_game.settle()
        if locked_game.is_over and not when_over:
            raise Refused(Refusal.GAME_OVER)
    # Check again: someone may have sat down meanwhile.
    if not may_moderate_table(user=actor, table=locked):
        raise PermissionError
    return locked_game, locked


def _record_ruling(
    actor: User,
    table: Table,
    locked_game: LockedGame | None,
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
        at=now if locked_game is None else locked_game.now,
        number=None if locked_game is None else locked_game.position.length,
        **of_a_seat,
    )
    if locked_game is None:
        save_changes(table)
    else:
        locked_game.note_table_change()
        locked_game.save()
    write_audit(
        actor=actor,
        act=f"table_{kind}",
        about=ruling.gone,
        table=table.code,
        data={"ruling": ruling.ordinal, "because": because, "reason": reason, "seat": ruling.seat},
    )
    return ruling


def _first_waiting(locked_game: LockedGame | None) -> User:
    """Return the first user on the waiting list who may take the seat. Raises Refused."""
    listed = () if locked_game is None else locked_game.administration.substitutes
    for substitute in listed:
        try:
            if substitute.user.is_active:
                refuse_informed_substitute(table=substitute.table, user=substitute.user)
                check_standing(table=substitute.table, user=substitute.user)
                check_games_few(substitute.user)
                return substitute.user
        except Refused:
            # Since they joined the list they have lost the right to a seat, or sat down elsewhere.
            continue
    raise Refused(Refusal.NOBODY_WAITS)


def _announced_name(table: Table, seats: list[Seat], seat: Seat, newcomer: User | None) -> str:
    """Return the seat's new name. At a blind table, the name stays."""
    if table.is_blind:
        return seat.name
    return bot_seats.new_bot_name(seats) if newcomer is None else newcomer.username


def _seat_a_bot(table: Table, seats: list[Seat], seat: Seat, name: str) -> None:
    """Give the seat to a bot before the game. The person who had it cannot sit down again."""
    if seat.user_id is not None:
        Kick.objects.get_or_create(table=table, user_id=seat.user_id)
    seat.user, seat.bot, seat.name = None, bots.HEIR, name
    seat.contribution_hash = ""
    seat.contribution = bot_contribution(table.commitment, seat.number)
    seat.save(update_fields=["user", "bot", "name", "contribution_hash", "contribution"])
    hand_over(table, seats)
    ready.note_seats(table)


def _end_motion(locked_game: LockedGame, number: int, newcomer: User | None) -> None:
    """Let the open motion lapse if the seat is involved: the table voted on something else."""
    motion = locked_game.administration.motion
    if motion is None:
        return
    is_of_seat = number in (motion.mover, motion.seat) or str(number) in motion.votes
    if is_of_seat or (newcomer is not None and motion.substitute_id == newcomer.pk):
        locked_game.settle_motion(Motion.Outcome.LAPSED)


def _people(seats: Iterable[Seat]) -> list[int]:
    return [seat.user_id for seat in seats if seat.user_id is not None]


def _notify(table: Table, users: Iterable[int], kind: Ruling.Kind) -> None:
    """Notify these users, wherever they are now."""
    for user_pk in users:
        notify(
            user_pk=user_pk,
            kind=Notification.Kind.RULED,
            about=table.code,
            data={"kind": str(kind)},
        )
