"""Who may judge a case: never whoever is a party to it, or a friend of one.

The queue, a case's page and every act ask here and nowhere else.
"""

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Friendship, User
from accounts.roles import Rank, rank
from games.models import Case, CaseStep, Report, Sat, Substitute, Table

_BACKEND: Final = "django.contrib.auth.backends.ModelBackend"
_RIGHTS: Final = {
    Rank.MODERATOR: "accounts.moderate",
    Rank.SENIOR: "accounts.moderate_more",
    Rank.ADMIN: "accounts.moderate_all",
}


@dataclass(frozen=True, slots=True)
class Judge:
    """A moderator, and whom they may not judge: by primary key."""

    pk: int
    rank: Rank
    # Themselves and their friends.
    circle: frozenset[int]
    # Their equals and whoever stands above them.
    above: frozenset[int]


def judge_of(user: User) -> Judge:
    """What keeps this moderator from cases: a few statements, however many cases there are."""
    own = rank(user)
    circle = frozenset({user.pk, *Friendship.objects.friends_of(user.pk)})
    # Whoever has a right above has not always the rights below it.
    ranks = [having(right) for step, right in _RIGHTS.items() if step >= own]
    above: set[int] = set()
    if ranks:
        above.update(reduce(or_, ranks).values_list("pk", flat=True))
    return Judge(user.pk, own, circle, frozenset(above))


def having(right: str) -> QuerySet[User]:
    """The accounts in use that have this right, by themselves or by a role."""
    return User.objects.with_perm(right, backend=_BACKEND)


def cases_before(judge: Judge) -> QuerySet[Case]:
    """The cases that this moderator may know of.

    None about them, a friend, an equal or a higher one; none that one of their circle has
    reported; none of a game in which one of their circle has ever had a seat, or in which
    they wait for one.
    """
    of_table = Q(table=OuterRef("table"))
    sat = Sat.objects.filter(of_table, user__in=judge.circle)
    waits = Substitute.objects.filter(of_table, user=judge.pk)
    told = Report.objects.filter(case=OuterRef("pk"), reporter__in=judge.circle)
    others = Q(person__isnull=True) | ~Q(person__in=judge.circle | judge.above)
    return Case.objects.filter(others, ~Exists(sat), ~Exists(waits), ~Exists(told))


def may_judge(user: User, case: Case) -> bool:
    """Whether a case is this person's to see and to decide, as the database has it now."""
    if rank(user) < Rank.MODERATOR:
        return False
    return cases_before(judge_of(user)).filter(pk=case.pk).exists()


def other_judges(user: User, case: Case) -> list[User]:
    """The moderators to whom `user` may hand a case over, by name."""
    found = having(_RIGHTS[Rank.MODERATOR]).exclude(pk=user.pk).order_by("name_key")
    return [other for other in found if may_judge(other, case)]


def cases_taken(user_pk: int, table: Table) -> QuerySet[CaseStep]:
    """The steps by which this person has ever had a case of this table in hand."""
    return CaseStep.objects.filter(Q(by=user_pk) | Q(to=user_pk), case__table=table)


# Cases of which it is hidden still whom they are about: at blind tables that have not ended.
HIDDEN: Final = Q(table__is_blind=True, table__stage__in=(Table.Stage.OPEN, Table.Stage.RUNNING))


def is_hidden(case: Case) -> bool:
    """The same of a row."""
    table = case.table
    if table is None or not table.is_blind:
        return False
    return table.stage in (Table.Stage.OPEN, Table.Stage.RUNNING)


def is_running(case: Case) -> bool:
    """Whether a game is going on, of which nothing hidden may be known."""
    return case.table is not None and case.table.stage == case.table.Stage.RUNNING
