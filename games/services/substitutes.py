"""The waiting list of a running table: users who would take over a vacant seat."""

from typing import Final

from accounts.models import User, name_key
from accounts.services.signals import accounts_at_addresses_of
from games.models import Guest, Kick, Motion, Sat, Substitute, Table
from games.moderation.case_access import refuse_judge
from games.services import chat, play, same_person
from games.services.joining import check_games_few, check_may_join, check_standing
from games.wording.refusals import Refusal, Refused

_LONGEST_LIST: Final = 20


def join_list(*, table: Table, user: User) -> None:
    """Add `user` to the end of the list. Does nothing if they are on it already.

    Users who could know more than a seat does are refused: those who had a seat here before,
    judge a case about this table, or have listened to the gallery. Raises Refused: NOT_STARTED,
    NOT_OPEN, GAME_OVER, ALREADY_SEATED, HAS_SAT, KICKED, JUDGES, HEARD_THE_GALLERY, NAME_TAKEN,
    LIST_FULL, GAMES_ENOUGH, or as `check_may_join` and `same_person.refuse_seat`.
    """
    with play.locked_game_at(table) as locked_game:
        listed = locked_game.administration.substitutes
        if any(seat.user_id == user.pk for seat in locked_game.seats):
            raise Refused(Refusal.ALREADY_SEATED)
        if any(substitute.user_id == user.pk for substitute in listed):
            return
        refuse_informed_substitute(table=locked_game.table, user=user, joins_list=True)
        check_may_join(table=locked_game.table, user=user)
        check_standing(table=locked_game.table, user=user)
        check_games_few(user)
        if any(name_key(seat.name) == name_key(user.username) for seat in locked_game.seats):
            raise Refused(Refusal.NAME_TAKEN)
        if len(listed) >= _LONGEST_LIST:
            raise Refused(Refusal.LIST_FULL)
        Substitute.objects.create(table=locked_game.table, user=user, name=user.username)
        locked_game.note_table_change()


def leave_list(*, table: Table, user: User, when_frozen: bool = False) -> None:
    """Remove `user` from the list. A motion to seat them lapses. Raises Refused."""
    with play.locked_game_at(table, when_frozen=when_frozen) as locked_game:
        if not Substitute.objects.filter(table=locked_game.table, user=user).delete()[0]:
            return
        motion = locked_game.administration.motion
        if motion is not None and motion.substitute_id == user.pk:
            locked_game.settle_motion(Motion.Outcome.LAPSED)
        locked_game.note_table_change()


def refuse_informed_substitute(*, table: Table, user: User, joins_list: bool = False) -> None:
    """Refuse users who know more than a seat may: for running games and their waiting list.

    Raises Refused.
    """
    if Kick.objects.filter(table=table, user=user).exists():
        raise Refused(Refusal.KICKED)
    if Sat.objects.filter(table=table, user=user).exists():
        raise Refused(Refusal.HAS_SAT)
    refuse_judge(user=user, table=table)
    chat.refuse_gallery_member(table=table, user=user)
    listeners = Guest.objects.filter(table=table).values("user")
    if accounts_at_addresses_of(listeners).filter(user=user).exists():
        raise Refused(Refusal.NOT_FOR_YOU)
    same_person.refuse_seat(table=table, user=user, joins_list=joins_list)
