"""The acts that need a right, and the questions about rights."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.models import Permission
from django.utils import timezone

from accounts.auth.rights import Right
from accounts.auth.roles import Rank, may_act_on
from accounts.models import Appeal, Sanction, User
from accounts.services.appeals import decide_appeal, may_decide
from accounts.services.roles import assign_role, may_assign_role
from accounts.services.sanctions import impose_sanction, lift_sanction
from accounts.services.switches import set_switches
from games.models import Case, Table
from games.moderation.case_access import may_judge
from games.services import cases, chat, reports, table_moderation
from games.state.rooms import room_of
from tests.builders.person import Person
from tests.builders.tables import fresh, gather, person, run_table
from tests.second_factor import with_second_factor

WHY = {"because": "report", "reason": "somebody complained"}


def office(name: str, *rights: Right) -> User:
    """Return an account with these rights, and without a second factor."""
    user = person(name)
    for right in rights:
        if right in (Right.USE_ADMIN, Right.OWN_SITE):
            setattr(user, right, True)
            user.save()
        else:
            app, codename = right.split(".")
            wanted = Permission.objects.get(content_type__app_label=app, codename=codename)
            user.user_permissions.add(wanted)
    # The object remembers its permissions.
    return User.objects.get(pk=user.pk)


def judge() -> User:
    """Return a moderator who may act."""
    return with_second_factor(office("Mira", Right.MODERATE))


@dataclass(frozen=True)
class Act:
    # The name of the service, after `accounts.services` or `games.services`.
    name: str
    # The rights that the actor is given for it.
    right: Right
    # Makes the object of the act, and returns the function that acts.
    prepare: Callable[[], Callable[[User], object]]

    def __str__(self) -> str:
        return f"{self.name} by {self.right}"


def _freeze() -> Callable[[User], object]:
    table = run_table()
    return lambda actor: table_moderation.freeze_table(actor=actor, table=table, **WHY)


def _thaw() -> Callable[[User], object]:
    table = run_table()
    table_moderation.freeze_table(actor=judge(), table=table, **WHY)
    return lambda actor: table_moderation.thaw_table(
        actor=actor, table=fresh(table), reason="seen to"
    )


def _close() -> Callable[[User], object]:
    table = gather()
    return lambda actor: table_moderation.close_table(actor=actor, table=table, **WHY)


def _void() -> Callable[[User], object]:
    table = run_table()
    return lambda actor: table_moderation.void_game(actor=actor, table=table, **WHY)


def _replace() -> Callable[[User], object]:
    table = run_table()
    seat = {"number": 3, "name": "Dario", "heir": "bot"}
    return lambda actor: table_moderation.replace_seat(actor=actor, table=table, **seat, **WHY)


def _remove() -> Callable[[User], object]:
    table = run_table()
    chat.say(table=table, user=table.host, text="Something vile", place="table", key="k")
    about = {"table": fresh(table), "place": "table", "nth": 1, "reason": "vile"}
    return lambda actor: chat.remove_message(user=actor, **about)


def a_case() -> Case:
    table = run_table()
    found = reports.reported_seat(room=room_of(table.code), user=person("Ada"), number=2)
    filed = {"reporter": person("Ada"), "reason": "abuse", "words": "", "language": "en"}
    return reports.file_report(reported=found, **filed).case


def _claim() -> Callable[[User], object]:
    case = a_case()
    return lambda actor: cases.claim_case(actor=actor, case=case)


def _with_a_case(service: Callable[..., object], **how: object) -> Callable[[], Callable]:
    """Return an act by the actor who has the case in hand."""

    def prepare() -> Callable[[User], object]:
        case = a_case()

        def act(actor: User) -> object:
            return service(actor=actor, case=case, **how)

        # The actor took the case while they had a second factor.
        Case.objects.filter(pk=case.pk).update(claimed_by=person("Nora"))
        return act

    return prepare


def _hand_over() -> Callable[[User], object]:
    other = judge()
    return _with_a_case(cases.hand_over_case, to=other)()


def _sanction(kind: str = "mute") -> Callable[[], Callable]:
    how = {"kind": kind, "reason": "You shouted.", "language": "en"}
    return lambda: lambda actor: impose_sanction(actor=actor, user=person("Ada"), **how)


def a_mute() -> Sanction:
    return Sanction.objects.create(
        user=person("Ada"), kind="mute", reason="loud", language="en", at=timezone.now()
    )


def _lift() -> Callable[[User], object]:
    sanction = a_mute()
    return lambda actor: lift_sanction(actor=actor, sanction=sanction, reason="enough")


def _appeal() -> Callable[[User], object]:
    appeal = Appeal.objects.create(sanction=a_mute(), text="Why?", at=timezone.now())
    answer = {"outcome": "lifted", "answer": "Yes.", "language": "en"}
    return lambda actor: decide_appeal(actor=actor, appeal=appeal, **answer)


def _switches() -> Callable[[User], object]:
    how = {"registration": False, "tables": False, "maintenance": True, "message": {}}
    return lambda actor: set_switches(actor=actor, **how)


def _role(role: Rank) -> Callable[[], Callable]:
    return lambda: lambda actor: assign_role(actor=actor, user=person("Ada"), role=role)


def _admin() -> Callable[[User], object]:
    """Delete an account in Django's admin."""
    ada = person("Ada")

    def act(actor: User) -> object:
        viewer = Person(actor, Table(code="none"))
        answer = viewer.post(f"/admin/accounts/user/{ada.pk}/delete/", {"post": "yes"})
        if User.objects.filter(pk=ada.pk).exists():
            raise PermissionError(answer)
        return answer

    return act


ACTS = [
    Act("table_moderation.freeze_table", Right.MODERATE, _freeze),
    Act("table_moderation.thaw_table", Right.MODERATE, _thaw),
    Act("table_moderation.close_table", Right.MODERATE, _close),
    Act("table_moderation.void_game", Right.MODERATE, _void),
    Act("table_moderation.replace_seat", Right.MODERATE, _replace),
    Act("chat.remove_message", Right.REMOVE_MESSAGE, _remove),
    Act("chat.remove_message", Right.MODERATE, _remove),
    Act("cases.claim_case", Right.MODERATE, _claim),
    Act("cases.release_case", Right.MODERATE, _with_a_case(cases.release_case)),
    Act("cases.hand_over_case", Right.MODERATE, _hand_over),
    Act("cases.dismiss_case", Right.MODERATE, _with_a_case(cases.dismiss_case)),
    Act(
        "cases.act_on_case",
        Right.MODERATE,
        _with_a_case(cases.act_on_case, kind="mute", reason="loud", lasts=timedelta(days=1)),
    ),
    Act("sanctions.impose_sanction", Right.MODERATE, _sanction()),
    Act("sanctions.impose_sanction", Right.MODERATE_MORE, _sanction("ban")),
    Act("sanctions.lift_sanction", Right.MODERATE, _lift),
    Act("appeals.decide_appeal", Right.MODERATE, _appeal),
    Act("switches.set_switches", Right.MODERATE_ALL, _switches),
    Act("roles.assign_role", Right.MODERATE_ALL, _role(Rank.MODERATOR)),
    Act("roles.assign_role", Right.OWN_SITE, _role(Rank.ADMIN)),
    Act("Django's admin", Right.USE_ADMIN, _admin),
]


# Each act with its right; it concerns a running table and Chika's case there.
PREDICATES: list[tuple[str, Right, Callable[[User, Case], bool]]] = [
    ("table_moderation.may_moderate_table", Right.MODERATE,
     lambda user, case: table_moderation.may_moderate_table(user=user, table=case.table)),
    ("table_moderation.may_see_table_moderation", Right.MODERATE,
     lambda user, case: table_moderation.may_see_table_moderation(user=user, table=case.table)),
    ("chat.may_remove", Right.REMOVE_MESSAGE,
     lambda user, case: chat.may_remove(user=user, table=case.table)),
    ("chat.may_see_remove", Right.REMOVE_MESSAGE,
     lambda user, case: chat.may_see_remove(user=user, table=case.table)),
    ("chat.is_remover", Right.REMOVE_MESSAGE, lambda user, case: chat.is_remover(user)),
    ("appeals.may_decide", Right.MODERATE,
     lambda user, case: may_decide(actor=user, sanction=a_mute())),
    ("roles.may_assign_role", Right.MODERATE_ALL,
     lambda user, case: may_assign_role(actor=user, user=case.person)),
    ("may_judge", Right.MODERATE, lambda user, case: may_judge(user, case)),
    ("may_act_on", Right.MODERATE, lambda user, case: may_act_on(user, case.person)),
]  # fmt: skip
