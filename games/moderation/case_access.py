"""Who may judge a case: never a party to it, or a friend of one.

The queue, the case page and every act on a case use these functions and no other check.
"""

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.auth.rights import users_granted
from accounts.auth.roles import RIGHTS, Rank, rank
from accounts.models import BotAccount, Friendship, User
from accounts.services.signals import accounts_of_same_person
from games.models import LIVE_STAGES, Case, CaseStep, Report, Sat, Substitute, Table
from games.wording.refusals import Refusal, Refused


@dataclass(frozen=True, slots=True)
class Judge:
    """A moderator, and the accounts they must not judge, by primary key."""

    pk: int
    rank: Rank
    # All accounts of the moderator's person.
    accounts: frozenset[int]
    # These accounts and their friends.
    circle: frozenset[int]
    # Accounts of the same or a higher rank.
    above: frozenset[int]


def judge_of(user: User) -> Judge:
    """Look up what excludes this moderator from cases: a few queries for any number of cases."""
    own = rank(user)
    accounts = frozenset({user.pk, *accounts_of_same_person(user.pk)})
    friends = Friendship.objects.friends_of(user.pk)
    bots = BotAccount.objects.filter(owner__in=friends).values_list("user", flat=True)
    circle = accounts | friends | set(bots)
    # A user with a higher right does not always have the rights below it.
    ranks = [users_granted(right) for step, right in RIGHTS.items() if step >= own]
    above: set[int] = set()
    if ranks:
        above.update(reduce(or_, ranks).values_list("pk", flat=True))
    return Judge(user.pk, own, accounts, circle, frozenset(above))


def cases_before(judge: Judge) -> QuerySet[Case]:
    """Return the cases that this moderator may know of.

    None about them, a friend, an equal or a higher one; none that one of their circle has
    reported; none of a game in which one of their circle has ever had a seat, or in which
    they wait for one. No cases at all for users who cannot moderate.
    """
    if judge.rank < Rank.MODERATOR:
        return Case.objects.none()
    of_table = Q(table=OuterRef("table"))
    sat = Sat.objects.filter(of_table, user__in=judge.circle)
    waits = Substitute.objects.filter(of_table, user__in=judge.accounts)
    told = Report.objects.filter(case=OuterRef("pk"), reporter__in=judge.circle)
    others = Q(person__isnull=True) | ~Q(person__in=judge.circle | judge.above)
    return Case.objects.filter(others, ~Exists(sat), ~Exists(waits), ~Exists(told))


def may_judge(user: User, case: Case) -> bool:
    """Return whether the user may see and decide the case, according to the database now."""
    return cases_before(judge_of(user)).filter(pk=case.pk).exists()


def other_judges(user: User, case: Case) -> list[User]:
    """Return the moderators to whom `user` may hand over the case, ordered by name."""
    found = users_granted(RIGHTS[Rank.MODERATOR]).exclude(pk=user.pk).order_by("name_key")
    return [other for other in found if may_judge(other, case)]


def cases_taken(user_pk: int, table: Table) -> QuerySet[CaseStep]:
    """Return the steps by which the user has ever held a case of this table."""
    return CaseStep.objects.filter(Q(by=user_pk) | Q(to=user_pk), case__table=table)


# Cases whose subject must still be hidden: those at blind tables that have not ended.
HIDDEN: Final = Q(table__is_blind=True, table__stage__in=LIVE_STAGES)


def refuse_judge(*, user: AbstractBaseUser | AnonymousUser, table: Table) -> None:
    """Refuse a part in a game to a moderator who reads what its players write about it.

    Raises Refused: JUDGES.
    """
    if user.is_authenticated and cases_taken(user.pk, table).exists():
        raise Refused(Refusal.JUDGES)


def is_hidden(case: Case) -> bool:
    """Return whether the case matches `HIDDEN`."""
    table = case.table
    if table is None or not table.is_blind:
        return False
    return table.is_live


def is_running(case: Case) -> bool:
    """Return whether the game of the case is running, so that its secrets must stay hidden."""
    return case.table is not None and case.table.stage == case.table.Stage.RUNNING
