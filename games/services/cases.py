"""What moderators do with a case: claim it, hand it over, decide it.

Each function checks again, under the case's lock, that the actor may judge the case, and writes an
audit entry in the same transaction.
"""

from collections import defaultdict
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.auth.roles import Rank, rank, role_of
from accounts.models import Notification, Sanction, User
from accounts.services.audit import write_audit
from accounts.services.sanctions import impose_sanction
from games.models import Case, CaseStep, Report
from games.moderation.case_access import is_hidden, may_judge
from games.wording.refusals import Refusal, Refused

_Outcome: Final = Case.Outcome


def claim_case(*, actor: User, case: Case) -> Case:
    """Claim the case for `actor`, who from then on may not take part in that game.

    A senior moderator may take over a case that an ordinary moderator has claimed. Raises Refused:
    CASE_DECIDED, CASE_CLAIMED; PermissionError if `actor` may not judge the case.
    """

    def claim(locked: Case) -> None:
        holder = locked.claimed_by
        if holder == actor:
            return
        if holder is not None and rank(actor) < max(Rank.SENIOR, role_of(holder)):
            raise Refused(Refusal.CASE_CLAIMED)
        _case_held_by(locked, actor)
        _written(locked, CaseStep.Kind.CLAIM, actor)

    return _record_step(actor, case, claim)


def release_case(*, actor: User, case: Case) -> Case:
    """Return the case to the queue.

    Raises Refused: CASE_DECIDED, CASE_NOT_YOURS; PermissionError.
    """

    def release(locked: Case) -> None:
        _refuse_others(locked, actor)
        _case_held_by(locked, None)
        _written(locked, CaseStep.Kind.RELEASE, actor)

    return _record_step(actor, case, release)


def hand_over_case(*, actor: User, case: Case, to: User) -> Case:
    """Hand the case over to the moderator `to`.

    Raises Refused: CASE_DECIDED, CASE_NOT_YOURS, NOT_A_JUDGE if `to` may not judge it;
    PermissionError.
    """

    def hand_over(locked: Case) -> None:
        _refuse_others(locked, actor)
        if to.pk == actor.pk or not may_judge(to, locked):
            raise Refused(Refusal.NOT_A_JUDGE)
        _case_held_by(locked, to)
        _written(locked, CaseStep.Kind.HAND_OVER, actor, to=to)

    return _record_step(actor, case, hand_over)


def dismiss_case(*, actor: User, case: Case, remark: str = "") -> Case:
    """Close the case without a sanction, and notify the reporters.

    Raises Refused: CASE_DECIDED, CASE_NOT_YOURS; PermissionError.
    """

    def dismiss(locked: Case) -> None:
        _refuse_others(locked, actor)
        _decided(locked, _Outcome.DISMISSED, actor, remark)
        _written(locked, CaseStep.Kind.DECIDE, actor)

    return _record_step(actor, case, dismiss)


def act_on_case(
    *,
    actor: User,
    case: Case,
    kind: str,
    reason: str,
    lasts: timedelta | None = None,
    remark: str = "",
) -> Case:
    """Impose a sanction on the case's person and decide the case.

    The person reads `reason` in the case's language. `lasts` is None for a sanction without an end.
    The reporters are notified that something was done, but not what. Raises Refused: CASE_DECIDED,
    CASE_NOT_YOURS, NOBODY_THERE if the case is not about a person;
    accounts.moderation.refusals.ModerationRefused as `impose_sanction` does; PermissionError.
    """

    def act(locked: Case) -> None:
        _refuse_others(locked, actor)
        if locked.person is None:
            raise Refused(Refusal.NOBODY_THERE)
        impose_sanction(
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

    return _record_step(actor, case, act)


def close_lapsed_case(*, case: Case) -> None:
    """Close the case because the account that it concerns is being deleted.

    Called by `detach_reports`, in its transaction.
    """
    if case.is_open:
        _decided(case, _Outcome.LAPSED, None, "")
    case.person = None
    case.save(update_fields=["person"])
    case.reports.update(copies=[], called="N. N.")


def _record_step(actor: User, case: Case, act: Callable[[Case], None]) -> Case:
    with transaction.atomic():
        # Two queries, so that related rows are not locked as well.
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


def _case_held_by(case: Case, by: User | None) -> None:
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
    """Tell each reporter once about the case, in one notice with the outcomes not read yet.

    Reporters of a name are not told: that would reveal that the account exists.
    """
    called: dict[int, list[str]] = defaultdict(list)
    for report in reports:
        if report.is_by_name:
            continue
        if report.reporter_id is not None and report.called not in called[report.reporter_id]:
            called[report.reporter_id].append(report.called)
    kind = Notification.Kind.REPORT
    for reporter, names in sorted(called.items()):
        unread = Notification.objects.select_for_update().filter(
            user=reporter, kind=kind, read_at__isnull=True
        )
        told = unread.first()
        earlier = [] if told is None else told.data.get("decided", [])
        # Keep only the newest 50, so that the notification cannot grow without limit.
        decided = [*earlier, {"called": names[0], "outcome": str(outcome)}][-50:]
        if told is None:
            told = Notification(user_id=reporter, kind=kind)
        told.data, told.at = {"decided": decided}, now
        told.save()


def _written(
    case: Case, step: CaseStep.Kind, actor: User, *, to: User | None = None, kind: str = ""
) -> None:
    CaseStep.objects.create(case=case, kind=step, by=actor, to=to, at=timezone.now())
    write_audit(
        actor=actor,
        act=f"case_{step}",
        # At a blind table, the audit must not reveal through a case who sits there.
        about=None if is_hidden(case) else case.person,
        table="" if case.table is None else case.table.code,
        data={"case": case.pk}
        | ({} if to is None else {"to": to.pk})
        | ({"outcome": case.outcome} if case.outcome else {})
        | ({"kind": kind} if kind else {}),
    )
