"""The world of the table of access: its public and its private table, and its actors."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from http.cookies import SimpleCookie

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, Permission
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import Appeal, Export, NameChange, Sanction, User
from accounts.services.audit import write_audit
from games import panels
from games.models import Case, Ruling, Table, Terms
from games.rules.actions import Action
from games.rules.phases import Phase
from games.rules.powers import Execute, Power
from games.rules.state import GameState
from games.services import cases, chat, presets, reports
from games.state import positions
from games.state.rooms import room_of
from tests.builders.person import Person
from tests.builders.tables import fascist_dream, fresh, person, play_until, run_table
from tests.second_factor import with_second_factor
from tests.secrecy.access_table import ACTORS, ADMITTED, FOUND, NAME_OF, PRIVATE

PASSWORD = "a long way to Tipperary"


@dataclass
class World:
    kind: str
    table: Table
    ids: dict[str, object]

    def address(self, path: str) -> str:
        return path.format(
            table=self.table.get_absolute_url(),
            code=self.table.code,
            token=self.table.invitation,
            **self.ids,
        )


def execute_the_others(state: GameState, seat: int) -> Action:
    if state.phase is Power.EXECUTION:
        return Execute(seat, next(target for target in (1, 2) if target in state.alive))
    return fascist_dream(state, seat)


def is_the_host_s_turn_beside_a_grave(state: GameState) -> bool:
    return len(state.alive) < 5 and state.phase is Phase.NOMINATION and state.candidate == 0


def world_of(kind: str) -> World:
    """Return a running table of five: Ada hosts and must nominate, Boris is dead.

    Chika and Ewa are away, so that a motion is possible.
    """
    table = run_table(is_private=kind == PRIVATE)
    play_until(table, is_the_host_s_turn_beside_a_grave, execute_the_others)
    table.seats.filter(name__in=("Chika", "Ewa")).update(is_away=True)
    Table.objects.filter(pk=table.pk).update(version=F("version") + 1)
    chat.say(table=table, user=table.host, text="Good morning", place="table", key="first")
    keeper = person("Keeper")
    group, _ = Group.objects.get_or_create(name="Readers")
    email, _ = EmailAddress.objects.get_or_create(user=keeper, email="keeper@example.org")
    ruling = Ruling.objects.create(
        table=table,
        ordinal=1,
        kind="thaw",
        because="report",
        reason="to have one",
        at=timezone.now(),
    )
    entry = write_audit(actor=None, act="begin")
    terms = Terms(edition="en", seats_wanted=7)
    preset = presets.save_preset(user=keeper, name="Sundays", terms=terms)
    change = NameChange.objects.create(user=keeper, old="Kim", new="Keeper", at=timezone.now())
    export = Export.objects.create(
        user=keeper,
        asked_at=timezone.now(),
        expires_at=timezone.now() + timedelta(days=1),
        content="{}",
    )
    muted = Sanction.objects.create(
        user=keeper, kind="mute", reason="to have one", language="en", at=timezone.now()
    )
    appeal = Appeal.objects.create(sanction=muted, text="to have one", at=timezone.now())
    case = a_case_of(table)
    ids = {
        "sanction": muted.pk,
        "appeal": appeal.pk,
        "case": case.pk,
        "preset": preset.token,
        "user": person("Sofia").pk,
        "person": keeper.person_key,
        "group": group.pk,
        "emailaddress": email.pk,
        "table_pk": table.pk,
        "ruling": ruling.pk,
        "auditentry": entry.pk,
        "namechange": change.pk,
        "export": export.code,
    }
    return World(kind, fresh(table), ids)


def a_case_of(table: Table) -> Case:
    """Return a case about Chika, which Mira has claimed."""
    room = room_of(table.code)
    found = reports.reported_seat(room=room, user=person("Keeper"), number=2)
    report = reports.file_report(
        reporter=person("Keeper"), reported=found, reason="abuse", words="", language="en"
    )
    cases.claim_case(actor=user_of("moderator"), case=report.case)
    return report.case


def with_password(name: str, **fields: object) -> User:
    user = person(name, **fields)
    # A new password would end the user's other sessions.
    if not user.has_usable_password():
        user.set_password(PASSWORD)
        user.save()
    return user


def user_of(actor: str) -> User | None:
    match actor:
        case "anonymous" | "spectator":
            return None
        case "staff":
            return with_second_factor(with_password("Stan", is_staff=True))
        case "superuser":
            return with_second_factor(with_password("Root", is_staff=True, is_superuser=True))
        case "moderator":
            return with_second_factor(moderating("Mira"))
        case "superuser_without_factor":
            return with_password("Rolf", is_staff=True, is_superuser=True)
        case "moderator_without_factor":
            return moderating("Nora")
    return with_password(NAME_OF[actor])


def moderating(name: str) -> User:
    user = with_password(name)
    rights = ["remove_message", "moderate"]
    user.user_permissions.add(*Permission.objects.filter(codename__in=rights))
    return user


def enter(actor: str, world: World) -> Person:
    """Return the actor's browser, ready to use the table."""
    table = world.table
    viewer = Person(user_of(actor), table)
    if actor in ("invited", "spectator"):
        viewer.get(world.address("{table}invitation/{token}/"))
    if actor in ("moderator", "superuser"):
        assert viewer.post("/account/confirm/", {"password": PASSWORD}).status_code == FOUND
    if actor == "deactivated":
        viewer.user.is_active = False
        viewer.user.save()
    if actor == "expired":
        key = viewer.client.cookies["sessionid"].value
        past = timezone.now() - timedelta(seconds=1)
        assert Session.objects.filter(session_key=key).update(expire_date=past) == 1
    return viewer


@contextmanager
def entered(actor: str, world: World) -> Iterator[Person]:
    """Yield the actor's browser. What it does is undone, so that the next actor finds the same."""
    with transaction.atomic():
        yield enter(actor, world)
        transaction.set_rollback(True)
    forget_all_in_process()


def forget_all_in_process() -> None:
    cache.clear()
    positions.forget_all()
    panels.forget_all()


@contextmanager
def undone(viewer: Person) -> Iterator[None]:
    """Undo what the block changes in the database and in the browser."""
    cookies = SimpleCookie(viewer.client.cookies.output(header="", sep="; "))
    cache.clear()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    viewer.client.cookies = cookies
    positions.forget_all()
    panels.forget_all()


def asked(viewer: Person, method: str, path: str, form: dict[str, str] | None = None):
    with undone(viewer):
        if method == "POST":
            return viewer.post(path, form)
        token = viewer.client.cookies["csrftoken"].value
        return viewer.client.generic(method, path, headers={"X-CSRFToken": token})


SHUT_OUT = [actor for actor in ACTORS if actor not in ADMITTED]
UNKNOWN = "zzzzzzzz"


# Other threads read what the test writes, so it must commit.
on_a_line = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("closed_lines")]


def with_marks(test):
    for mark in on_a_line:
        test = mark(test)
    return test
