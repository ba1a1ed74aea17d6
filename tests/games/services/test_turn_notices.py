"""Turn notices at slow tables: who is told, by which way, when, and with which words."""

import json
from datetime import UTC, datetime, timedelta

import pytest
import requests
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import NoticeSettings, Notification, PushDevice
from accounts.services import notices, web_push
from games.models import Pace, Presence, Table, TurnNotice
from games.rules.actions import Nominate, Vote
from games.rules.components import Ballot
from games.services import calls, tables, turn_notices, vacations
from tests.builders.tables import NAMES, act, fresh, gather, person, run_table, state_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("reachable_users")]

HOUR = timedelta(hours=1)
ENDPOINT = "https://fcm.googleapis.com/fcm/send/a-browser"
P256DH = "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM"
AUTH = "tBHItJI5svbpez7KI4CCXg"


@pytest.fixture
def pushed(monkeypatch):
    """Return the payloads that are handed to a worker, by device."""
    sent = []

    class _Task:
        def apply_async(self, args, **how):
            sent.append(args)

    monkeypatch.setattr(web_push, "task_named", lambda name: _Task())
    return sent


def slow_table(pace=Pace.DAILY):
    table = run_table(NAMES[:5], pace=pace, is_private=pace == Pace.UNTIMED)
    Presence.objects.all().delete()
    return table


def president(table):
    [number] = state_of(table).to_act
    return table.seats.get(number=number).user


def later(**more):
    return timezone.now() + timedelta(minutes=2, **more)


def with_address(user, *, is_confirmed=True):
    EmailAddress.objects.create(
        user=user, email=f"{user.pk}@example.org", primary=True, verified=is_confirmed
    )
    return user


def with_device(user):
    web_push.add_device(user=user, endpoint=f"{ENDPOINT}{user.pk}", p256dh=P256DH, auth=AUTH)
    return PushDevice.objects.get(user=user)


def test_the_player_whose_turn_it_is_gets_one_mail_and_the_others_none(pushed):
    table = slow_table()
    for seat in table.seats.all():
        with_address(seat.user)

    turn_notices.send_due(later())
    turn_notices.send_due(later(seconds=30))

    [sent] = mail.outbox
    assert sent.to == [f"{president(table).pk}@example.org"]
    assert f"https://play.example{table.get_absolute_url()}" in sent.body


def test_a_minute_is_left_to_move_without_a_mail():
    table = slow_table()
    with_address(president(table))

    turn_notices.send_due(timezone.now() + timedelta(seconds=30))

    assert mail.outbox == []


def test_no_mail_goes_to_an_address_that_is_not_confirmed():
    table = slow_table()
    with_address(president(table), is_confirmed=False)

    turn_notices.send_due(later())

    assert mail.outbox == []


def test_a_player_who_looks_at_the_table_is_left_in_peace_until_they_go(pushed):
    table = slow_table()
    user = with_address(president(table))
    with_device(user)
    now = later()
    Presence.objects.create(process="p", user=user, table=table, seen_at=now)

    turn_notices.send_due(now)
    assert (mail.outbox, pushed) == ([], [])

    Presence.objects.all().delete()
    turn_notices.send_due(now)
    assert (len(mail.outbox), len(pushed)) == (1, 1)


def test_who_has_voted_hears_nothing_and_the_next_decision_is_told_anew():
    table = slow_table()
    chair = president(table)
    [number] = state_of(table).to_act
    other = next(seat for seat in table.seats.all() if seat.user != chair)
    act(table, Nominate(number, other.number))
    assert TurnNotice.objects.filter(table=table).count() == 5

    act(fresh(table), Vote(other.number, Ballot.JA))

    assert not TurnNotice.objects.filter(user=other.user).exists()
    assert not Notification.objects.filter(user=other.user, read_at=None).exists()
    for seat in table.seats.exclude(pk=other.pk):
        act(fresh(table), Vote(seat.number, Ballot.JA))
    assert [row.user for row in TurnNotice.objects.all()] == [chair]


def test_two_mails_are_an_hour_apart_and_the_second_is_not_lost():
    first = slow_table()
    user = with_address(president(first))
    turn_notices.send_due(later())
    TurnNotice.objects.all().delete()
    TurnNotice.objects.create(user=user, table=first, since=timezone.now())

    turn_notices.send_due(later(seconds=1800))
    assert len(mail.outbox) == 1
    turn_notices.send_due(later(hours=1))
    assert len(mail.outbox) == 2


def test_quiet_hours_hold_mail_and_push_back_and_not_the_bell(pushed):
    table = slow_table()
    user = with_address(president(table))
    with_device(user)
    user.time_zone = "Asia/Tokyo"
    user.save()
    NoticeSettings.objects.create(user=user, quiet_from=22, quiet_until=7)
    TurnNotice.objects.update(since=datetime(2026, 1, 1, tzinfo=UTC))

    # 23:30 in Tokyo, and after that 7:30.
    turn_notices.send_due(datetime(2026, 1, 1, 14, 30, tzinfo=UTC))
    assert (mail.outbox, pushed) == ([], [])
    assert Notification.objects.filter(user=user, kind=Notification.Kind.TURN).exists()
    turn_notices.send_due(datetime(2026, 1, 1, 22, 30, tzinfo=UTC))

    assert (len(mail.outbox), len(pushed)) == (1, 1)


@pytest.mark.parametrize(
    ("day", "is_told"),
    [
        # In winter, 6:30 UTC is 7:30 in Warsaw; in summer 5:30 is. The clocks change on March 29.
        (datetime(2026, 3, 28, 6, 30, tzinfo=UTC), True),
        (datetime(2026, 3, 28, 5, 30, tzinfo=UTC), False),
        (datetime(2026, 3, 29, 5, 30, tzinfo=UTC), True),
        (datetime(2026, 3, 29, 4, 30, tzinfo=UTC), False),
    ],
)
def test_quiet_hours_follow_the_users_clock_when_it_is_changed(day, is_told):
    user = person("Ada")
    user.time_zone = "Europe/Warsaw"

    assert notices.is_quiet(NoticeSettings(quiet_from=22, quiet_until=7), user, day) is not is_told


def test_quiet_hours_bring_the_browsers_time_zone_into_an_account_without_one(client):
    ada = person("Ada")
    client.force_login(ada)
    client.cookies["time_zone"] = "Europe/Warsaw"
    assert "Your time zone: Warsaw." in client.get("/account/turns/").content.decode()
    client.post("/account/turns/", {"daily_push": "on"})
    ada.refresh_from_db()
    assert ada.time_zone == ""

    for zone in ("Europe/Warsaw", "Asia/Tokyo", "Moon/Crater"):
        client.cookies["time_zone"] = zone
        client.post("/account/turns/", {"quiet_from": "22", "quiet_until": "7"})

    ada.refresh_from_db()
    assert ada.time_zone == "Europe/Warsaw"


def test_a_vacation_holds_mail_and_push_back_until_it_ends(pushed):
    table = slow_table()
    user = with_address(president(table))
    with_device(user)
    now = timezone.now()
    vacations.begin_vacation(user=user, days=2, now=now)

    turn_notices.send_due(later())
    assert (mail.outbox, pushed) == ([], [])
    turn_notices.send_due(later(days=2))

    assert (len(mail.outbox), len(pushed)) == (1, 1)


@pytest.mark.parametrize("way", ["bell", "mail", "push"])
def test_each_way_can_be_off_for_a_pace(pushed, way):
    users = [person(name) for name in NAMES[:5]]
    for user in users:
        NoticeSettings.objects.create(user=user, **{f"daily_{way}": False})
        with_address(user)
        with_device(user)
    slow_table()

    turn_notices.send_due(later())

    found = {
        "bell": Notification.objects.filter(kind=Notification.Kind.TURN).exists(),
        "mail": bool(mail.outbox),
        "push": bool(pushed),
    }
    assert found == {"bell": True, "mail": True, "push": True} | {way: False}


def test_an_untimed_table_tells_only_those_who_ask(pushed):
    table = slow_table(Pace.UNTIMED)
    user = with_address(president(table))
    turn_notices.send_due(later())
    assert not Notification.objects.exists()
    assert not mail.outbox

    TurnNotice.objects.update(mailed_at=None)
    NoticeSettings.objects.create(user=user, untimed_mail=True)
    turn_notices.send_due(later())
    assert len(mail.outbox) == 1


def test_a_mail_is_in_the_readers_language():
    table = slow_table()
    user = with_address(president(table))
    user.mail_language = "ru"
    user.save()

    turn_notices.send_due(later())

    assert mail.outbox[0].extra_headers["Content-Language"] == "ru"


def test_one_press_in_the_mail_program_ends_the_mails_and_a_scanner_does_not():
    table = slow_table()
    user = with_address(president(table))
    turn_notices.send_due(later())
    headers = mail.outbox[0].extra_headers
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    path = headers["List-Unsubscribe"].strip("<>").removeprefix("https://play.example")
    stranger = Client(enforce_csrf_checks=True)

    assert stranger.get(path).status_code == 200
    assert notices.settings_of([user.pk])[user.pk].daily_mail
    answer = stranger.post(path, {"List-Unsubscribe": "One-Click"})

    assert answer.status_code == 200
    assert not notices.settings_of([user.pk])[user.pk].daily_mail
    assert "sessionid" not in answer.cookies
    assert stranger.post("/account/turns/stop/forged/").status_code == 404


def test_a_push_holds_the_table_and_nothing_of_its_game(pushed):
    table = slow_table()
    user = president(table)
    with_device(user)

    turn_notices.send_due(later())

    [(_, payload)] = pushed
    assert json.loads(payload) == {
        "title": "It’s your turn",
        "body": f"Table {table.code} is waiting for you.",
        "url": table.get_absolute_url(),
    }


class _Answer:
    reason = text = ""
    headers = None

    def __init__(self, status):
        self.status_code = status


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_forgotten(monkeypatch, status):
    device = with_device(person("Ada"))
    monkeypatch.setattr(requests.Session, "post", lambda *a, **k: _Answer(status))

    web_push.deliver(device.pk, "{}")

    assert not PushDevice.objects.exists()


@pytest.mark.parametrize("status", [429, 503])
def test_a_service_that_is_away_is_tried_again(monkeypatch, status):
    device = with_device(person("Ada"))
    monkeypatch.setattr(requests.Session, "post", lambda *a, **k: _Answer(status))

    with pytest.raises(web_push.PushNotSent):
        web_push.deliver(device.pk, "{}")
    assert PushDevice.objects.exists()


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/x",
        "https://127.0.0.1/x",
        "https://evilfcm.googleapis.com.example/x",
        "https://evil-fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8443/x",
        "https://user@fcm.googleapis.com/x",
        "https://[/x",
        "",
    ],
)
def test_the_site_sends_only_to_push_services(client, endpoint):
    client.force_login(person("Ada"))

    answer = client.post(
        "/account/turns/device/", {"endpoint": endpoint, "p256dh": P256DH, "auth": AUTH}
    )

    assert answer.status_code == 400
    assert not PushDevice.objects.exists()


def test_choices_are_kept_and_a_half_of_quiet_hours_is_refused(client):
    ada = person("Ada")
    client.force_login(ada)
    form = {"daily_push": "on", "quiet_from": "22", "quiet_until": "7"}

    assert client.post("/account/turns/", form).status_code == 303
    chosen = notices.settings_of([ada.pk])[ada.pk]
    assert (chosen.daily_bell, chosen.daily_push, chosen.quiet_from) == (False, True, 22)
    assert client.post("/account/turns/", form | {"quiet_until": ""}).status_code == 422
    assert "22" in client.get("/account/turns/").content.decode()


# The beginning of a game --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pace", "is_told"), [(Pace.NORMAL, True), (Pace.UNTIMED, True), (Pace.DAILY, False)]
)
def test_a_game_that_begins_calls_the_players_who_are_elsewhere_on_the_site(pace, is_told):
    table = gather(NAMES[:5], pace=pace, is_private=pace == Pace.UNTIMED)
    table.seats.filter(number=3).update(is_connected=False)
    absent, present = (table.seats.get(number=number).user for number in (3, 4))

    tables.start_game(table=table, user=table.host)

    assert fresh(table).stage == Table.Stage.RUNNING
    told = Notification.objects.filter(kind=Notification.Kind.CALLED, about=table.code)
    assert list(told.values_list("user", flat=True)) == ([absent.pk] if is_told else [])
    for user, sees in ((absent, is_told), (present, False)):
        client = Client()
        client.force_login(user)
        page = client.get("/account/notifications/bell/").content.decode()
        assert ("Your table is ready" in page) == sees
        assert (table.get_absolute_url() in page) == sees


def test_the_call_goes_when_its_player_comes_to_the_table():
    table = gather(NAMES[:5])
    table.seats.filter(number=3).update(is_connected=False)
    tables.start_game(table=table, user=table.host)
    absent = table.seats.get(number=3).user
    calls.call_waiting()
    assert Notification.objects.filter(kind=Notification.Kind.CALLED, user=absent).exists()

    Presence.objects.create(process="web", user=absent, table=table, seen_at=timezone.now())
    calls.call_waiting()

    assert not Notification.objects.filter(kind=Notification.Kind.CALLED).exists()
