"""Reports, the cases made of them, and the pages of the moderators' queue."""

import pytest
from django.contrib.auth.models import Permission

from accounts.models import User
from games.models import Case, Table
from games.services import cases, reports
from games.state.rooms import room_of
from tests.builders.person import Person
from tests.builders.tables import person
from tests.second_factor import with_second_factor

OK, SEE_OTHER, NOT_FOUND, WRONG_METHOD, REFUSED = 200, 303, 404, 405, 422


def office(name: str, *rights: str) -> User:
    """Return a moderator, or a user with exactly these rights."""
    user = person(name)
    user.user_permissions.set(Permission.objects.filter(codename__in=rights or ["moderate"]))
    return with_second_factor(User.objects.get(pk=user.pk))


def browser(user: User) -> Person:
    return Person(user, Table(code="none"))


def reported(
    table: Table, who: str = "Ada", seat: int = 3, reason: str = "abuse", words: str = ""
) -> Case:
    """File a report by `who` and return its case."""
    found = reports.reported_seat(room=room_of(table.code), user=person(who), number=seat)
    return reports.file_report(
        reporter=person(who), reported=found, reason=reason, words=words, language="en"
    ).case


def read(user: User, path: str = "/moderation/") -> str:
    answer = browser(user).get(path)
    assert answer.status_code == OK
    return answer.content.decode()


def of(case: Case) -> str:
    return f"/moderation/cases/{case.pk}/"


def status(user: User, path: str, data: dict | None = None) -> int:
    ask = browser(user)
    return (ask.get(path) if data is None else ask.post(path, data)).status_code


def taken(case: Case, user: User) -> Case:
    return cases.claim_case(actor=user, case=case)


ACTS = ("claim", "release", "hand-over", "decide")


def is_shut(user: User, case: Case) -> bool:
    """Return whether list, page, record and all acts hide the case, and no act changes it."""
    listed = of(case) in read(user)
    answers = {status(user, of(case)), status(user, f"{of(case)}record/")}
    data = {"kind": "dismiss", "to": str(user.pk)}
    answers |= {status(user, f"{of(case)}{act}/", data) for act in ACTS}
    for service in (cases.claim_case, cases.release_case, cases.dismiss_case):
        with pytest.raises(PermissionError):
            service(actor=user, case=case)
    case.refresh_from_db()
    return not listed and answers == {NOT_FOUND} and case.is_open and case.claimed_by is None
