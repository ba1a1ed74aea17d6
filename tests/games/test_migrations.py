"""What the migrations of the games keep of a database's rows."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from accounts.models import Notification
from accounts.services import outbox
from games.models import GameRequest, Table, Terms
from games.services.tables import join_table, open_table
from tests.builders.tables import person

FIRST = [("games", "0001_schema"), ("accounts", "0001_schema")]


def go_back() -> Any:
    """Give the database the tables of the first migration, and return its models."""
    executor = MigrationExecutor(connection)
    executor.migrate(FIRST)
    return executor.loader.project_state(FIRST).apps


def go_on() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate([*executor.loader.graph.leaf_nodes()])


@pytest.mark.django_db(transaction=True)
def test_users_who_waited_for_a_call_or_a_seat_still_do():
    ada, boris, chika = (person(name) for name in ("Ada", "Boris", "Chika"))
    table = open_table(host=person("Dario"), terms=Terms(edition="en", seats_wanted=7))
    now = timezone.now()
    before = go_back()
    wish, seeker = before.get_model("games", "Wish"), before.get_model("games", "Seeker")
    until = now + timedelta(days=3)
    waits = {"made_at": now, "until": until}
    try:
        wish.objects.create(
            user_id=ada.pk,
            edition="ru-5-6",
            pace="untimed",
            table_id=table.pk,
            called_at=now,
            **waits,
        )
        wish.objects.create(user_id=boris.pk, language="pl", edition="en", pace="blitz", **waits)
        for user in (boris, chika):
            seeker.objects.create(
                user_id=user.pk,
                pace="normal",
                languages=["it"],
                since=now,
                changed_at=now,
                ask_at=now,
            )
    finally:
        go_on()

    hers, his, other = GameRequest.objects.order_by("user__username")
    assert (hers.mode, hers.pace, hers.languages, hers.size) == ("call", "", ["ru"], "5-6")
    assert (hers.table, hers.found_at, hers.expires_at) == (Table.objects.get(), now, until)
    assert (his.mode, his.pace, his.languages) == ("call", "blitz", ["pl"])
    assert (other.mode, other.pace, other.languages) == ("seat", "normal", ["it"])


@pytest.mark.django_db(transaction=True)
def test_notices_that_were_sent_stay_sent_and_the_others_are_sent_once(monkeypatch):
    ada, boris, chika = (person(name) for name in ("Ada", "Boris", "Chika"))
    at = (now := timezone.now()) + timedelta(days=3)
    table = open_table(
        host=person("Dario"), terms=Terms(edition="en", seats_wanted=7), scheduled_at=at
    )
    for user in (ada, boris, chika):
        join_table(table=table, user=user)
    before = go_back()
    told, notice = (
        before.get_model("accounts", "Notification"),
        before.get_model("games", "AppointmentNotice"),
    )
    moved = {"table_id": table.pk, "kind": "moved", "sequence": 1, "scheduled_at": at}
    moved |= {"made_at": now, "expires_at": at}
    data = {"at": at.isoformat(), "what": "moved"}
    try:
        before.get_model("games", "Table").objects.update(schedule_sequence=1)
        # One is shown by the bell and has yet to be mailed; one was mailed; one is not shown.
        told.objects.create(user_id=ada.pk, kind="moved", about=table.code, data=data, at=now)
        notice.objects.create(user_id=ada.pk, pushed_at=now, **moved)
        notice.objects.create(user_id=boris.pk, mailed_at=now, pushed_at=now, **moved)
        notice.objects.create(user_id=chika.pk, **moved)
        turns = before.get_model("games", "TurnNotice").objects
        turns.create(user_id=chika.pk, table_id=table.pk, since=now, mailed_at=now, pushed_at=now)
    finally:
        go_on()

    assert list(
        Notification.objects.order_by("user__username", "kind").values_list(
            "user__username", "kind", "on_bell"
        )
    ) == [
        ("Ada", "moved", True),
        ("Boris", "moved", False),
        ("Chika", "moved", False),
        ("Chika", "turn", False),
    ]
    sent: list[tuple[str, str]] = []
    monkeypatch.setattr(outbox, "_mail", lambda row, at: sent.append(("mail", str(row.user))))
    monkeypatch.setattr(outbox, "_push", lambda row, *at: sent.append(("push", str(row.user))))
    monkeypatch.setattr(outbox.notices, "can_mail", lambda user: True)
    for _ in range(2):
        outbox.send_due(now + timedelta(minutes=2))
    assert sorted(sent) == [("mail", "Ada"), ("mail", "Chika"), ("push", "Chika")]
    assert Table.objects.get().reminds_at == at - timedelta(days=1)
