"""Reminders and news of scheduled tables: who is told, by which way, when, and how often."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import NoticeSettings, Notification, PushDevice, User
from accounts.services import notices, web_push
from games import tasks
from games.models import AppointmentNotice, Sat, Table, Terms
from games.services import appointment_notices, appointments, tables
from tests.builders.tables import fresh, person

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("reachable_users")]

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


@pytest.fixture
def pushed(monkeypatch):
    """Return the payloads that are handed to a worker, with the seconds that they are kept."""
    sent = []

    class _Task:
        def apply_async(self, args, kwargs, **how):
            sent.append(json.loads(args[1]) | kwargs)

    monkeypatch.setattr(web_push, "task_named", lambda name: _Task())
    return sent


def scheduled(*names: str, at: datetime | None = None) -> Table:
    """Return a table of Ada's for a date, at which these users have sat for days."""
    table = tables.open_table(
        host=person("Ada"),
        terms=Terms(edition="en", seats_wanted=7),
        scheduled_at=timezone.now() + 5 * DAY,
    )
    for name in names:
        tables.join_table(table=table, user=person(name))
    at = at or table.scheduled_at
    Table.objects.filter(pk=table.pk).update(scheduled_at=at, schedule_changed_at=at - 5 * DAY)
    Sat.objects.filter(table=table).update(at=at - 4 * DAY)
    return fresh(table)


def reached(user: User) -> User:
    """Give the user a confirmed address and a device, and return the user."""
    EmailAddress.objects.create(
        user=user, email=f"{user.username}@example.com".lower(), primary=True, verified=True
    )
    PushDevice.objects.create(
        user=user, endpoint=f"https://fcm.googleapis.com/{user.pk}", p256dh="k", auth="a"
    )
    return user


def remind(now: datetime) -> None:
    appointment_notices.write_reminders(now)
    appointment_notices.send_due(now)


def bells(user: User) -> list[str]:
    told = Notification.objects.filter(user=user).order_by("pk")
    return [each.data["what"] for each in told]


def test_both_reminders_go_once_to_each_player_by_bell_mail_and_push(pushed):
    table = scheduled("Boris")
    boris, at = reached(person("Boris")), table.scheduled_at

    for now in (at - DAY - MINUTE, at - DAY + MINUTE, at - DAY + 2 * MINUTE, at - 2 * HOUR):
        remind(now)
    assert bells(boris) == bells(person("Ada")) == ["day"]
    assert (len(mail.outbox), len(pushed)) == (1, 1)

    for now in (at - 14 * MINUTE, at - 13 * MINUTE):
        remind(now)

    # The bell keeps only the newest.
    assert bells(boris) == ["soon"]
    assert (len(mail.outbox), len(pushed)) == (2, 2)
    assert pushed[0]["title"] == "Your table meets soon"
    assert pushed[0]["url"] == table.get_absolute_url()


def test_a_device_that_comes_online_after_the_date_is_not_told_that_it_comes(pushed):
    table = scheduled("Boris")
    reached(person("Boris"))

    remind(table.scheduled_at - 10 * MINUTE)

    assert [each["kept"] for each in pushed] == [600]


def test_a_reminder_that_two_workers_write_at_once_is_sent_once(pushed):
    table = scheduled("Boris")
    boris = reached(person("Boris"))
    now = table.scheduled_at - 10 * MINUTE
    remind(now)
    row = AppointmentNotice.objects.get(user=boris)
    row.mailed_at = row.pushed_at = None

    # A second worker has read the row before the first one sent it.
    appointment_notices._send(row, boris, NoticeSettings(user=boris), now)
    told = appointment_notices.announce(
        table=table, users={boris.pk}, kind=AppointmentNotice.Kind.SOON, now=now
    )

    assert told == 0
    assert (len(mail.outbox), len(pushed)) == (1, 1)


def test_who_sits_down_after_a_reminder_was_due_does_not_get_it():
    table = scheduled("Boris")
    Sat.objects.filter(user=person("Boris")).update(at=table.scheduled_at - 20 * HOUR)

    remind(table.scheduled_at - 19 * HOUR)

    assert bells(person("Boris")) == []
    assert bells(person("Ada")) == ["day"]


def test_who_has_left_is_not_reminded(pushed):
    table = scheduled("Boris")
    boris = reached(person("Boris"))
    appointment_notices.write_reminders(table.scheduled_at - 10 * MINUTE)
    tables.leave_table(table=table, user=boris)

    appointment_notices.send_due(table.scheduled_at - 9 * MINUTE)

    assert not mail.outbox
    assert not pushed


def test_a_moved_table_reminds_of_its_new_date(pushed):
    table = scheduled("Boris")
    boris, first = reached(person("Boris")), table.scheduled_at
    remind(first - 10 * HOUR)
    appointments.move_date(
        table=table, user=person("Ada"), scheduled_at=first + 2 * DAY, now=first - 9 * HOUR
    )
    remind(first - 8 * HOUR)
    # Nothing is due for the old date any more.
    remind(first - 5 * MINUTE)
    assert bells(boris) == ["moved"]
    assert [each["title"] for each in pushed] == [
        "Your table meets soon",
        "Your table has a new date",
    ]

    remind(first + 2 * DAY - 20 * HOUR)

    assert bells(boris) == ["day"]
    assert len(mail.outbox) == 3


def test_a_mail_names_the_date_in_the_user_s_time_zone_and_language():
    scheduled("Boris", at=datetime(2027, 3, 28, 18, 0, tzinfo=UTC))
    boris = reached(person("Boris"))
    # The clocks have changed on this day, so it is summer time already.
    boris.time_zone = "Europe/Warsaw"
    boris.save()

    remind(datetime(2027, 3, 28, 17, 50, tzinfo=UTC))

    [sent] = mail.outbox
    assert "28 March 2027 at 20:00 (CEST)" in sent.body


def test_one_press_in_the_mail_program_ends_these_mails_and_no_others():
    table = scheduled("Boris")
    boris = reached(person("Boris"))
    remind(table.scheduled_at - 10 * MINUTE)
    headers = mail.outbox[0].extra_headers
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    stop = headers["List-Unsubscribe"].strip("<>").removeprefix("https://play.example")

    page = Client().get(stop)
    assert "scheduled tables" in page.content.decode()
    assert Client().post(stop, {"List-Unsubscribe": "One-Click"}).status_code == 200

    chosen = notices.settings_of([boris.pk])[boris.pk]
    assert (chosen.scheduled_mail, chosen.daily_mail) == (False, True)


def test_the_link_of_a_turn_s_mail_leaves_reminders_on():
    ada = person("Ada")

    assert notices.stop_mails(notices.stop_path(ada.pk).rstrip("/").rpartition("/")[2])

    chosen = notices.settings_of([ada.pk])[ada.pk]
    assert (chosen.scheduled_mail, chosen.daily_mail) == (True, False)


@pytest.mark.parametrize("way", ["bell", "mail", "push"])
def test_each_way_can_be_off(pushed, way):
    table = scheduled("Boris")
    boris = reached(person("Boris"))
    NoticeSettings.objects.create(user=boris, **{f"scheduled_{way}": False})

    remind(table.scheduled_at - 10 * MINUTE)

    found = {"bell": bool(bells(boris)), "mail": bool(mail.outbox), "push": bool(pushed)}
    assert found == {"bell": True, "mail": True, "push": True} | {way: False}


def test_quiet_hours_hold_mail_and_push_back_and_not_the_bell(pushed):
    at = datetime(2027, 1, 2, 14, 0, tzinfo=UTC)
    scheduled("Boris", at=at)
    boris = reached(person("Boris"))
    boris.time_zone = "Asia/Tokyo"
    boris.save()
    NoticeSettings.objects.create(user=boris, quiet_from=22, quiet_until=7)

    # 23:00 in Tokyo, and after that 7:30.
    remind(at - DAY)
    assert (mail.outbox, pushed) == ([], [])
    assert bells(boris) == ["day"]
    remind(datetime(2027, 1, 1, 22, 30, tzinfo=UTC))

    assert (len(mail.outbox), len(pushed)) == (1, 1)


def test_what_is_no_longer_true_is_not_sent(pushed):
    table = scheduled("Boris")
    boris = reached(person("Boris"))
    appointment_notices.write_reminders(table.scheduled_at - 10 * MINUTE)
    tables.close_table(table=table, user=person("Ada"))

    appointment_notices.send_due(timezone.now())

    assert [each["title"] for each in pushed] == ["Your table is cancelled"]
    assert bells(boris) == ["cancelled"]


def test_the_worker_s_task_reminds(pushed):
    table = scheduled("Boris", at=timezone.now() + 10 * MINUTE)
    reached(person("Boris"))

    for _ in range(2):
        tasks.send_appointment_notices()

    assert len(pushed) == 1
    assert table.get_absolute_url() == pushed[0]["url"]


def test_old_notices_are_forgotten():
    table = scheduled("Boris")
    remind(table.scheduled_at - 10 * MINUTE)

    appointment_notices.delete_old(table.scheduled_at + 29 * DAY)
    assert AppointmentNotice.objects.exists()
    appointment_notices.delete_old(table.scheduled_at + 31 * DAY)

    assert not AppointmentNotice.objects.exists()
