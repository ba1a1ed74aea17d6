"""Motions at a running table: to give a vacant seat to another player, and to end the game.

The seated players who are present may make motions and vote, living and dead alike. Votes are
public, and each player votes once: nothing about it depends on hidden information. A motion passes
with more than half of those present. When an absent player returns, the motion about their seat
ends (`play` does that).
"""

from copy import copy
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings

from accounts.models import User
from games.models import Game, Motion, Seat, Table
from games.services import play, same_person
from games.services.joining import check_games_few, check_standing
from games.services.play import LockedGame
from games.services.seat_transfer import transfer_seat
from games.services.substitutes import refuse_informed_substitute
from games.state.administration import may_be_stopped, voters, votes_needed, votes_of
from games.wording.refusals import Refusal, Refused

# After a rejected motion, its mover waits this long before the next one.
_AGAIN_AFTER: Final = timedelta(minutes=2)


def move_replacement(
    *,
    table: Table,
    user: User,
    number: int,
    name: str,
    substitute: str,
    now: datetime | None = None,
) -> None:
    """Propose to give a vacant seat to the first user on the waiting list. The mover votes for it.

    `name` and `substitute` are the names that the mover saw: on that seat, and first on the list
    ("" at a blind table). Raises Refused: NOT_SEATED, YOU_ARE_AWAY, MOTION_OPEN, MOVED_LATELY,
    NOT_AWAY, NOBODY_WAITS, STALE, NO_VOTE.
    """
    with play.locked_game_at(table, now) as locked_game:
        mover = _mover(locked_game, user)
        seat = next((seat for seat in locked_game.seats if seat.number == number), None)
        if seat is None or seat.name != name:
            raise Refused(Refusal.STALE)
        if not seat.is_vacant:
            raise Refused(Refusal.NOT_AWAY)
        if not locked_game.administration.substitutes:
            raise Refused(Refusal.NOBODY_WAITS)
        first = locked_game.administration.substitutes[0]
        is_blind = locked_game.table.is_blind
        if substitute != ("" if is_blind else first.name):
            raise Refused(Refusal.STALE)
        same_person.refuse_vote(user=user, concerned=[first.user_id])
        motion = Motion(
            kind=Motion.Kind.REPLACE,
            seat=number,
            substitute_id=first.user_id,
            gone_name=seat.name,
            substitute_name=seat.name if is_blind else first.name,
        )
        _open(locked_game, motion, mover)


def move_stop(*, table: Table, user: User, now: datetime | None = None) -> None:
    """Propose to end the game unrated because too many players have left. The mover votes for it.

    Raises Refused: as `move_replacement`, and NOT_ENOUGH_GONE.
    """
    with play.locked_game_at(table, now) as locked_game:
        mover = _mover(locked_game, user)
        if not may_be_stopped(locked_game.seats):
            raise Refused(Refusal.NOT_ENOUGH_GONE)
        _open(locked_game, Motion(kind=Motion.Kind.STOP), mover)


def vote(
    *, table: Table, user: User, ordinal: int, is_for: bool, now: datetime | None = None
) -> None:
    """Vote on the open motion, the `ordinal`-th of the table. Repeating the same vote does nothing.

    Raises Refused: NOT_SEATED, YOU_ARE_AWAY, STALE if that motion is settled, HAS_VOTED, NO_VOTE.
    """
    with play.locked_game_at(table, now) as locked_game:
        seat = _present(locked_game, user)
        motion = locked_game.administration.motion
        if motion is None or motion.ordinal != ordinal:
            raise Refused(Refusal.STALE)
        before = motion.votes.get(str(seat.number))
        if before is not None:
            if before != is_for:
                raise Refused(Refusal.HAS_VOTED)
            return
        voted = [each.user_id for each in locked_game.seats if str(each.number) in motion.votes]
        same_person.refuse_vote(user=user, concerned=[*voted, motion.substitute_id])
        motion = copy(motion)
        motion.votes = {**motion.votes, str(seat.number): is_for}
        motion.save(update_fields=["votes"])
        locked_game.note_table_change()
        _count(locked_game, motion, is_final=False)


def expire(table: Table, now: datetime) -> None:
    """Settle the motion whose time has run out. Does nothing if there is none."""
    try:
        with play.locked_game_at(table, now) as locked_game:
            until, motion = locked_game.table.asked_until, locked_game.administration.motion
            if motion is not None and until is not None and until <= now:
                _count(locked_game, motion, is_final=True)
    except Refused:
        # No game runs there any more.
        return


def _present(locked_game: LockedGame, user: User) -> Seat:
    seat = next((seat for seat in locked_game.seats if seat.user_id == user.pk), None)
    if seat is None:
        raise Refused(Refusal.NOT_SEATED)
    if not seat.is_voter:
        raise Refused(Refusal.YOU_ARE_AWAY if seat.is_vacant else Refusal.NO_VOTE)
    return seat


def _mover(locked_game: LockedGame, user: User) -> Seat:
    seat = _present(locked_game, user)
    if locked_game.administration.motion is not None:
        raise Refused(Refusal.MOTION_OPEN)
    lately = locked_game.now - _AGAIN_AFTER
    if any(
        motion.mover == seat.number and motion.moved_at > lately
        for motion in locked_game.administration.motions
        if motion.outcome == Motion.Outcome.REJECTED
    ):
        raise Refused(Refusal.MOVED_LATELY)
    return seat


def _open(locked_game: LockedGame, motion: Motion, mover: Seat) -> None:
    motion.table = locked_game.table
    motion.ordinal = len(locked_game.administration.motions) + 1
    motion.mover = mover.number
    motion.moved_at = locked_game.now
    motion.votes = {str(mover.number): True}
    motion.save()
    locked_game.table.asked_until = locked_game.now + timedelta(seconds=settings.MOTION_SECONDS)
    locked_game.note_table_change()
    _count(locked_game, motion, is_final=False)


def _count(locked_game: LockedGame, motion: Motion, *, is_final: bool) -> None:
    """Settle the motion if the missing votes can no longer change the result."""
    in_favour, against = votes_of(motion, locked_game.seats)
    majority = votes_needed(locked_game.seats)
    if len(in_favour) >= majority:
        _carry(locked_game, motion)
    elif is_final or len(voters(locked_game.seats)) - len(against) < majority:
        locked_game.settle_motion(Motion.Outcome.REJECTED)


def _carry(locked_game: LockedGame, motion: Motion) -> None:
    if motion.kind == Motion.Kind.STOP:
        locked_game.settle_motion(Motion.Outcome.PASSED)
        locked_game.stop(Game.Stopped.ABANDONED)
        return
    assert motion.seat is not None
    newcomer = motion.substitute
    try:
        if newcomer is None or not newcomer.is_active:
            raise Refused(Refusal.NOBODY_WAITS)
        refuse_informed_substitute(table=locked_game.table, user=newcomer)
        check_standing(table=locked_game.table, user=newcomer)
        check_games_few(newcomer)
    except Refused:
        # Since the motion they have lost the right to the seat, or sat down elsewhere.
        locked_game.settle_motion(Motion.Outcome.LAPSED)
        return
    locked_game.settle_motion(Motion.Outcome.PASSED)
    transfer_seat(locked_game, motion.seat, newcomer=newcomer, name=motion.substitute_name)
