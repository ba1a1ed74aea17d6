"""What sending notices costs, however many wait."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Notification
from accounts.services import outbox
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
