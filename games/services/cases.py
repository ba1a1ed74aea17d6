"""What moderators do with a case: take it, hand it over, decide it.

Every act asks once more, under the case's lock, whether the case is theirs to judge, and is
written down in the audit in the same transaction.
"""

from collections import defaultdict
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.models import Notification, Sanction, User
from accounts.roles import Rank, rank
from accounts.services.audit import audit_write
from accounts.services.sanctions import sanction_impose
from games.judges import is_hidden, may_judge
from games.models import Case, CaseStep, Report
from games.refusals import Refusal, Refused

_Outcome: Final = Case.Outcome


def case_claim(*, actor: User, case: Case) -> Case:
    """From now on `actor` judges it, and takes no part in that game.

    A senior moderator may take over what a mere moderator has claimed. Raises Refused:
    CASE_DECIDED, CASE_CLAIMED; PermissionError where it is not theirs to judge.
    """

    def claim(locked: Case) -> None:
        holder = locked.claimed_by
        if holder == actor:
            return
        if holder is not None and rank(actor) < max(Rank.SENIOR, rank(holder)):
            raise Refused(Refusal.CASE_CLAIMED)
        _held(locked, actor)
        _written(locked, CaseStep.Kind.CLAIM, actor)

    return _acted(actor, case, claim)


def case_release(*, actor: User, case: Case) -> Case:
    """Gives it back to the queue. Raises Refused: CASE_DECIDED, CASE_NOT_YOURS; PermissionError."""

    def release(locked: Case) -> None:
        _refuse_others(locked, actor)
        _held(locked, None)
        _written(locked, CaseStep.Kind.RELEASE, actor)

    return _acted(actor, case, release)


def case_hand_over(*, actor: User, case: Case, to: User) -> Case:
    """`to` judges it from now on. Raises Refused: CASE_DECIDED, CASE_NOT_YOURS, NOT_A_JUDGE where
    it is not theirs to judge; PermissionError."""

    def hand_over(locked: Case) -> None:
        _refuse_others(locked, actor)
        if to.pk == actor.pk or not may_judge(to, locked):
            raise Refused(Refusal.NOT_A_JUDGE)
        _held(locked, to)
        _written(locked, CaseStep.Kind.HAND_OVER, actor, to=to)

    return _acted(actor, case, hand_over)


def case_dismiss(*, actor: User, case: Case, remark: str = "") -> Case:
    """Nothing is done about it; who reported it learns so. Raises Refused: CASE_DECIDED,
    CASE_NOT_YOURS; PermissionError."""

    def dismiss(locked: Case) -> None:
        _refuse_others(locked, actor)
        _decided(locked, _Outcome.DISMISSED, actor, remark)
        _written(locked, CaseStep.Kind.DECIDE, actor)

    return _acted(actor, case, dismiss)


def case_act(
    *,
    actor: User,
    case: Case,
    kind: str,
    reason: str,
    lasts: timedelta | None = None,
    remark: str = "",
) -> Case:
    """Lays a sanction upon the person, for `reason`, which they read in the case's language.

    `lasts` is None for one without an end. Who reported it learns that something was done, and
    not what. Raises Refused: CASE_DECIDED, CASE_NOT_YOURS, NOBODY_THERE where the case is about
    no person; accounts.refusals.Refused as `sanction_impose` does; PermissionError.
    """

    def act(locked: Case) -> None:
        _refuse_others(locked, actor)
        if locked.person is None:
            raise Refused(Refusal.NOBODY_THERE)
        sanction_impose(
            actor=actor,
            user=locked.person,
            kind=Sanction.Kind(kind),
            reason=reason,
            language=locked.language,
            ends_at=None if lasts is None else timezone.now() + lasts,
            case=locked.pk,
        )
        _decided(locked, _Outcome.ACTED, actor, remark)
        _written(locked, CaseStep.Kind.DECIDE, actor, kind=kind)

    return _acted(actor, case, act)


def case_lapse(*, case: Case) -> None:
    """The account that it is about goes. For `reports_depart`, in its transaction."""
    if case.is_open:
        _decided(case, _Outcome.LAPSED, None, "")
    case.person = None
    case.save(update_fields=["person"])
    case.reports.update(copies=[], called="N. N.")


def _acted(actor: User, case: Case, act: Callable[[Case], None]) -> Case:
    with transaction.atomic():
        # In two statements: what it refers to is not locked with it.
        locked = Case.objects.select_for_update().get(pk=case.pk)
        if not may_judge(actor, locked):
            raise PermissionError
        if not locked.is_open:
            raise Refused(Refusal.CASE_DECIDED)
        act(locked)
    return locked


def _refuse_others(case: Case, actor: User) -> None:
    if case.claimed_by_id != actor.pk:
        raise Refused(Refusal.CASE_NOT_YOURS)


def _held(case: Case, by: User | None) -> None:
    case.claimed_by = by
    case.claimed_at = None if by is None else timezone.now()
    case.save(update_fields=["claimed_by", "claimed_at"])


def _decided(case: Case, outcome: str, by: User | None, remark: str) -> None:
    case.outcome, case.decided_by, case.remark = outcome, by, remark.strip()
    case.decided_at = timezone.now()
    case.save(update_fields=["outcome", "decided_by", "decided_at", "remark"])
    reports = list(case.reports.filter(is_open=True))
    case.reports.update(is_open=False)
    _tell(reports, outcome, case.decided_at)


def _tell(reports: list[Report], outcome: str, now: datetime) -> None:
    """Each reporter hears once of the case; and of what they have not read yet, together."""
    called: dict[int, list[str]] = defaultdict(list)
    for report in reports:
        if report.reporter_id is not None and report.called not in called[report.reporter_id]:
            called[report.reporter_id].append(report.called)
    kind = Notification.Kind.REPORT
    for reporter, names in sorted(called.items()):
        unread = Notification.objects.select_for_update().filter(
            user=reporter, kind=kind, read_at__isnull=True
        )
        told = unread.first()
        earlier = [] if told is None else told.data.get("decided", [])
        # Without the newest, what is told would grow without end.
        decided = [*earlier, {"called": names[0], "outcome": str(outcome)}][-50:]
        if told is None:
            told = Notification(user_id=reporter, kind=kind)
        told.data, told.at = {"decided": decided}, now
        told.save()


def _written(
    case: Case, step: CaseStep.Kind, actor: User, *, to: User | None = None, kind: str = ""
) -> None:
    CaseStep.objects.create(case=case, kind=step, by=actor, to=to, at=timezone.now())
    audit_write(
        actor=actor,
        act=f"case_{step}",
        # At a blind table nobody learns who sits there by who has whose case in hand.
        about=None if is_hidden(case) else case.person,
        table="" if case.table is None else case.table.code,
        data={"case": case.pk}
        | ({} if to is None else {"to": to.pk})
        | ({"outcome": case.outcome} if case.outcome else {})
        | ({"kind": kind} if kind else {}),
    )
