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
from games.affairs import may_be_stopped, needed, present, votes_of
from games.models import Game, Motion, Seat, Table
from games.refusals import Refusal, Refused
from games.services import play, same_device
from games.services.joining import check_games_few, check_standing
from games.services.play import Sitting
from games.services.replacing import seat_pass
from games.services.substitutes import refuse_who_knows_more

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
    with play.sitting_at(table, now) as sitting:
        mover = _mover(sitting, user)
        seat = next((seat for seat in sitting.seats if seat.number == number), None)
        if seat is None or seat.name != name:
            raise Refused(Refusal.STALE)
        if not seat.is_vacant:
            raise Refused(Refusal.NOT_AWAY)
        if not sitting.affairs.substitutes:
            raise Refused(Refusal.NOBODY_WAITS)
        first = sitting.affairs.substitutes[0]
        is_blind = sitting.table.is_blind
        if substitute != ("" if is_blind else first.name):
            raise Refused(Refusal.STALE)
        same_device.refuse_vote(user=user, concerned=[first.user_id])
        motion = Motion(
            kind=Motion.Kind.REPLACE,
            seat=number,
            substitute_id=first.user_id,
            gone_name=seat.name,
            substitute_name=seat.name if is_blind else first.name,
        )
        _open(sitting, motion, mover)


def move_stop(*, table: Table, user: User, now: datetime | None = None) -> None:
    """Propose to end the game unrated because too many players have left. The mover votes for it.

    Raises Refused: as `move_replacement`, and NOT_ENOUGH_GONE.
    """
    with play.sitting_at(table, now) as sitting:
        mover = _mover(sitting, user)
        if not may_be_stopped(sitting.seats):
            raise Refused(Refusal.NOT_ENOUGH_GONE)
        _open(sitting, Motion(kind=Motion.Kind.STOP), mover)


def vote(
    *, table: Table, user: User, ordinal: int, is_for: bool, now: datetime | None = None
) -> None:
    """Vote on the open motion, the `ordinal`-th of the table. Repeating the same vote does nothing.

    Raises Refused: NOT_SEATED, YOU_ARE_AWAY, STALE if that motion is settled, HAS_VOTED, NO_VOTE.
    """
    with play.sitting_at(table, now) as sitting:
        seat = _present(sitting, user)
        motion = sitting.affairs.motion
        if motion is None or motion.ordinal != ordinal:
            raise Refused(Refusal.STALE)
        before = motion.votes.get(str(seat.number))
        if before is not None:
            if before != is_for:
                raise Refused(Refusal.HAS_VOTED)
            return
        voters = [each.user_id for each in sitting.seats if str(each.number) in motion.votes]
        same_device.refuse_vote(user=user, concerned=[*voters, motion.substitute_id])
        motion = copy(motion)
        motion.votes = {**motion.votes, str(seat.number): is_for}
        motion.save(update_fields=["votes"])
        sitting.note_affairs()
        _count(sitting, motion, is_final=False)


def expire(table: Table, now: datetime) -> None:
    """Settle the motion whose time has run out. Does nothing if there is none."""
    try:
        with play.sitting_at(table, now) as sitting:
            until, motion = sitting.table.asked_until, sitting.affairs.motion
            if motion is not None and until is not None and until <= now:
                _count(sitting, motion, is_final=True)
    except Refused:
        # No game runs there any more.
        return


def _present(sitting: Sitting, user: User) -> Seat:
    seat = next((seat for seat in sitting.seats if seat.user_id == user.pk), None)
    if seat is None:
        raise Refused(Refusal.NOT_SEATED)
    if not seat.is_present:
        raise Refused(Refusal.YOU_ARE_AWAY)
    return seat


def _mover(sitting: Sitting, user: User) -> Seat:
    seat = _present(sitting, user)
    if sitting.affairs.motion is not None:
        raise Refused(Refusal.MOTION_OPEN)
    lately = sitting.now - _AGAIN_AFTER
    if any(
        motion.mover == seat.number and motion.moved_at > lately
        for motion in sitting.affairs.motions
        if motion.outcome == Motion.Outcome.REJECTED
    ):
        raise Refused(Refusal.MOVED_LATELY)
    return seat


def _open(sitting: Sitting, motion: Motion, mover: Seat) -> None:
    motion.table = sitting.table
    motion.ordinal = len(sitting.affairs.motions) + 1
    motion.mover = mover.number
    motion.moved_at = sitting.now
    motion.votes = {str(mover.number): True}
    motion.save()
    sitting.table.asked_until = sitting.now + timedelta(seconds=settings.MOTION_SECONDS)
    sitting.note_affairs()
    _count(sitting, motion, is_final=False)


def _count(sitting: Sitting, motion: Motion, *, is_final: bool) -> None:
    """Settle the motion if the missing votes can no longer change the result."""
    in_favour, against = votes_of(motion, sitting.seats)
    majority = needed(sitting.seats)
    if len(in_favour) >= majority:
        _carry(sitting, motion)
    elif is_final or len(present(sitting.seats)) - len(against) < majority:
        sitting.settle_motion(Motion.Outcome.REJECTED)


def _carry(sitting: Sitting, motion: Motion) -> None:
    if motion.kind == Motion.Kind.STOP:
        sitting.settle_motion(Motion.Outcome.PASSED)
        sitting.stop(Game.Stopped.ABANDONED)
        return
    assert motion.seat is not None
    newcomer = motion.substitute
    try:
        if newcomer is None or not newcomer.is_active:
            raise Refused(Refusal.NOBODY_WAITS)
        refuse_who_knows_more(table=sitting.table, user=newcomer)
        check_standing(table=sitting.table, user=newcomer)
        check_games_few(newcomer)
    except Refused:
        # Since the motion they have lost the right to the seat, or sat down elsewhere.
        sitting.settle_motion(Motion.Outcome.LAPSED)
        return
    sitting.settle_motion(Motion.Outcome.PASSED)
    seat_pass(sitting, motion.seat, newcomer=newcomer, name=motion.substitute_name)
