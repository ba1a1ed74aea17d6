"""What sending notices costs, and how many a user is sent, however many wait."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Notification
from accounts.services import outbox, web_push
from games.models import Pace, Table
from tests.builders.tables import NAMES, person, run_table

pytestmark = pytest.mark.django_db


def test_notices_that_wait_need_as_many_queries_for_more_users():
    table = run_table(NAMES[:5], pace=Pace.DAILY)
    Table.objects.filter(pk=table.pk).update(frozen_at=timezone.now())
    Notification.objects.all().delete()
    now = timezone.now()

    def cost(*names: str) -> int:
        for name in names:
            Notification.objects.create(
                user=person(name),
                kind=Notification.Kind.TURN,
                about=table.code,
                topic=Pace.DAILY,
                at=now,
                push_at=now,
            )
        with CaptureQueriesContext(connection) as queries:
            outbox.send_due(now)
        return len(queries)

    assert cost("Ada") == cost("Boris", "Chika", "Dario")
    assert Notification.objects.filter(push_at=now).count() == 4


def test_a_user_is_sent_only_so_many_an_hour_and_the_others_wait(settings, monkeypatch):
    settings.LIMITS = settings.LIMITS | {"notices": "2/hour"}
    pushed = []
    monkeypatch.setattr(web_push, "push_turn", lambda **how: pushed.append(how["user"]))
    for _ in range(4):
        run_table(NAMES[:5], pace=Pace.DAILY)
    now = timezone.now() + timedelta(minutes=2)

    for seconds in range(3):
        outbox.send_due(now + timedelta(seconds=seconds))

    assert len(set(pushed)) == 1 and len(pushed) == 2
    assert Notification.objects.filter(push_at__isnull=False).count() == 2
