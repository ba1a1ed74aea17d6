"""Notices of turns, dates and beginning games: who is told, by which way, when, and how often."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import NoticeSettings, Notification
from accounts.services import notices, outbox, web_push
from accounts.services.exports import export_data_of
from games import tasks
from games.models import Pace, Presence, Table, Terms, Visibility
from games.rules.actions import Nominate, Vote
from games.rules.components import Ballot
from games.services import appointments, calls, table_notices, tables, vacations
from tests.builders.notices import reached, with_address
from tests.builders.tables import NAMES, act, fresh, gather, person, run_table, state_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("reachable_users")]

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
TURN = Notification.Kind.TURN


@pytest.fixture(autouse=True)
def pushed(monkeypatch):
    """Return the payloads that are handed to a worker, with the seconds that they are kept."""
    sent = []

    class _Task:
        def apply_async(self, args, kwargs, **how):
            sent.append(json.loads(args[1]) | kwargs)

    monkeypatch.setattr(web_push, "task_named", lambda name: _Task())
    return sent


def slow_table(pace=Pace.DAILY) -> Table:
    table = run_table(NAMES[:5], pace=pace, is_private=pace == Pace.UNTIMED)
    Presence.objects.all().delete()
    return table


def president(table):
    [number] = state_of(table).to_act
    return table.seats.get(number=number).user


def later(**more):
    return timezone.now() + timedelta(minutes=2, **more)


def scheduled(*names: str, at: datetime | None = None, **terms: object) -> Table:
    """Return a table of Ada's for a date in days, at which these users sit."""
    table = tables.open_table(
        host=person("Ada"),
        terms=Terms(**{"edition": "en", "seats_wanted": 7} | terms),
        scheduled_at=timezone.now() + 5 * DAY,
    )
    for name in names:
        tables.join_table(table=table, user=person(name))
    if at is not None:
        Table.objects.filter(pk=table.pk).update(
            scheduled_at=at, reminds_at=table_notices.next_reminder(at, at - 5 * DAY)
        )
    return fresh(table)


def remind(now: datetime) -> None:
    table_notices.remind_due(now)
    outbox.send_due(now)


def bells(user) -> list[str]:
    told = Notification.objects.filter(user=user, on_bell=True).order_by("pk")
    return [each.data.get("what", each.kind) for each in told]


def sent(pushed) -> tuple[int, int]:
    return len(mail.outbox), len(pushed)


# What holds of all notices ------------------------------------------------------------------------


def one_turn():
    """Return a user with one notice of a turn, and when it is due."""
    return reached(president(slow_table())), later()


def one_date():
    """Return a user with one notice of a date, and when it is due."""
    table = scheduled("Boris")
    now = table.scheduled_at - 10 * MINUTE
    table_notices.remind_due(now)
    return reached(person("Boris")), now


@pytest.mark.parametrize("told", [one_turn, one_date])
def test_a_notice_goes_once_by_each_way(pushed, told):
    user, now = told()

    for seconds in range(3):
        outbox.send_due(now + timedelta(seconds=seconds))

    assert sent(pushed) == (1, 1)
    assert len(bells(user)) == 1


@pytest.mark.parametrize("told", [one_turn, one_date])
def test_two_workers_that_read_the_same_notice_send_it_once(pushed, told):
    user, now = told()
    row = Notification.objects.select_related("user").get(user=user)
    outbox.send_due(now)

    # This worker has read the row before the other one sent it.
    outbox._send(user, NoticeSettings(user=user), [row], {row: outbox.Verdict(now)}, now)

    assert sent(pushed) == (1, 1)


@pytest.mark.parametrize("told", [one_turn, one_date])
def test_a_crash_between_the_claim_and_the_sending_sends_nothing_twice(pushed, told, monkeypatch):
    _, now = told()

    class _Crash(BaseException):
        pass

    def crash(*args, **kwargs):
        raise _Crash

    with monkeypatch.context() as patched:
        patched.setattr(notices, "mail_user", crash)
        with pytest.raises(_Crash):
            outbox.send_due(now)
    assert sent(pushed) == (0, 1)

    outbox.send_due(now + MINUTE)

    assert sent(pushed) == (0, 1)


def test_an_error_at_one_user_keeps_no_other_waiting(pushed, monkeypatch):
    table = scheduled("Boris", "Chika")
    boris, chika = reached(person("Boris")), reached(person("Chika"))
    send = outbox._push

    def fail_for_boris(row, moment, now):
        if row.user == boris:
            raise RuntimeError
        send(row, moment, now)

    monkeypatch.setattr(outbox, "_push", fail_for_boris)
    remind(table.scheduled_at - 10 * MINUTE)

    assert len(pushed) == 1
    assert [letter.to for letter in mail.outbox] == [[f"{chika.pk}@example.org"]]


@pytest.mark.parametrize("way", ["bell", "mail", "push"])
@pytest.mark.parametrize("topic", ["daily", "scheduled"])
def test_each_way_can_be_off(pushed, topic, way):
    users = [reached(person(name)) for name in NAMES[:5]]
    for user in users:
        NoticeSettings.objects.create(user=user, **{f"{topic}_{way}": False})
    if topic == "daily":
        slow_table()
        outbox.send_due(later())
    else:
        remind(scheduled("Boris").scheduled_at - 10 * MINUTE)

    found = {
        "bell": any(bells(user) for user in users),
        "mail": bool(mail.outbox),
        "push": bool(pushed),
    }
    assert found == {"bell": True, "mail": True, "push": True} | {way: False}


def test_a_notice_by_mail_alone_is_neither_listed_nor_counted(client):
    table = slow_table()
    user = president(table)
    Notification.objects.filter(user=user).update(on_bell=False)
    client.force_login(user)

    html = client.get("/account/notifications/").content.decode()

    assert "Nothing here yet." in html
    assert "1 unread" not in html


@pytest.mark.parametrize("told", [one_turn, one_date])
def test_quiet_hours_hold_mail_and_push_back_and_not_the_bell(pushed, told):
    user, _ = told()
    user.time_zone = "Asia/Tokyo"
    user.save()
    NoticeSettings.objects.create(user=user, quiet_from=22, quiet_until=7)
    Notification.objects.update(
        mail_at=datetime(2026, 1, 1, tzinfo=UTC), push_at=datetime(2026, 1, 1, tzinfo=UTC)
    )

    # 23:30 in Tokyo, and after that 7:30.
    outbox.send_due(datetime(2026, 1, 1, 14, 30, tzinfo=UTC))
    assert sent(pushed) == (0, 0)
    assert len(bells(user)) == 1
    outbox.send_due(datetime(2026, 1, 1, 22, 30, tzinfo=UTC))

    assert sent(pushed) == (1, 1)


@pytest.mark.parametrize(
    ("told", "ended", "kept", "words"),
    [
        (one_turn, "daily_mail", "scheduled_mail", "your turn"),
        (one_date, "scheduled_mail", "daily_mail", "scheduled tables"),
    ],
)
def test_one_press_in_the_mail_program_ends_these_mails_and_a_scanner_does_not(
    told, ended, kept, words
):
    user, now = told()
    outbox.send_due(now)
    headers = mail.outbox[0].extra_headers
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    path = headers["List-Unsubscribe"].strip("<>").removeprefix("https://play.example")
    stranger = Client(enforce_csrf_checks=True)

    assert words in stranger.get(path).content.decode()
    assert getattr(notices.settings_of([user.pk])[user.pk], ended)
    answer = stranger.post(path, {"List-Unsubscribe": "One-Click"})

    assert answer.status_code == 200
    chosen = notices.settings_of([user.pk])[user.pk]
    assert (getattr(chosen, ended), getattr(chosen, kept)) == (False, True)
    assert "sessionid" not in answer.cookies
    assert stranger.post("/account/turns/stop/forged/").status_code == 404


def test_what_was_stopped_before_it_was_sent_is_not_sent():
    user, now = one_turn()

    assert notices.stop_mails(notices.stop_path(user.pk).rstrip("/").rpartition("/")[2])
    outbox.send_due(now)

    assert not mail.outbox


def test_no_mail_goes_to_an_address_that_is_not_confirmed():
    table = slow_table()
    with_address(president(table), is_confirmed=False)

    outbox.send_due(later())

    assert not mail.outbox


def test_a_push_holds_the_table_and_nothing_of_its_game(pushed):
    user, now = one_turn()
    row = Notification.objects.get(user=user)
    code = row.about
    assert row.data == {}

    outbox.send_due(now)

    [payload] = pushed
    del payload["kept"]
    assert payload == {
        "title": "It’s your turn",
        "body": f"Table {code} is waiting for you.",
        "url": f"/tables/{code}/",
    }


def test_the_export_tells_what_a_user_was_told():
    table = slow_table()
    user = president(table)

    [told] = export_data_of(user)["notices"]

    assert (told["kind"], told["about"]) == ("turn", table.code)


# Turns --------------------------------------------------------------------------------------------


def test_the_player_whose_turn_it_is_gets_one_mail_and_the_others_none():
    table = slow_table()
    for seat in table.seats.all():
        with_address(seat.user)

    outbox.send_due(later())

    [letter] = mail.outbox
    assert letter.to == [f"{president(table).pk}@example.org"]
    assert f"https://play.example{table.get_absolute_url()}" in letter.body


def test_a_minute_is_left_to_move_without_a_mail(pushed):
    one_turn()

    outbox.send_due(timezone.now() + timedelta(seconds=30))

    assert sent(pushed) == (0, 0)


def test_a_player_who_looks_at_the_table_is_left_in_peace_until_they_go(pushed):
    user, now = one_turn()
    table = Table.objects.get()
    Presence.objects.create(process="p", user=user, table=table, seen_at=now)

    outbox.send_due(now)
    assert sent(pushed) == (0, 0)

    Presence.objects.all().delete()
    outbox.send_due(now)
    assert sent(pushed) == (1, 1)


def test_who_has_voted_hears_nothing_and_the_next_decision_is_told_anew():
    table = slow_table()
    chair = president(table)
    [number] = state_of(table).to_act
    other = next(seat for seat in table.seats.all() if seat.user != chair)
    act(table, Nominate(number, other.number))
    assert Notification.objects.filter(kind=TURN, about=table.code).count() == 5

    act(fresh(table), Vote(other.number, Ballot.JA))

    assert not Notification.objects.filter(user=other.user).exists()
    for seat in table.seats.exclude(pk=other.pk):
        act(fresh(table), Vote(seat.number, Ballot.JA))
    assert [row.user for row in Notification.objects.filter(kind=TURN)] == [chair]


def test_who_has_read_the_bell_and_moved_gets_no_mail():
    table = slow_table()
    [number] = state_of(table).to_act
    other = table.seats.exclude(number=number).first()
    with_address(other.user)
    act(table, Nominate(number, other.number))
    Notification.objects.update(read_at=timezone.now())

    act(fresh(table), Vote(other.number, Ballot.JA))
    outbox.send_due(later())

    assert not mail.outbox


def test_two_mails_are_an_hour_apart_and_the_second_is_not_lost():
    one_turn()
    outbox.send_due(later())
    Notification.objects.update(mail_at=timezone.now())

    outbox.send_due(later(seconds=1800))
    assert len(mail.outbox) == 1
    outbox.send_due(later(hours=1))
    assert len(mail.outbox) == 2


def test_a_vacation_holds_mail_and_push_back_until_it_ends(pushed):
    user, now = one_turn()
    vacations.begin_vacation(user=user, days=2, now=timezone.now())

    outbox.send_due(now)
    assert sent(pushed) == (0, 0)
    outbox.send_due(later(days=2))

    assert sent(pushed) == (1, 1)


def test_a_game_that_was_stopped_waits_for_no_one(pushed):
    _, now = one_turn()
    Table.objects.update(stage=Table.Stage.OVER)

    outbox.send_due(now)

    assert sent(pushed) == (0, 0)
    assert not Notification.objects.exclude(mail_at=None, push_at=None).exists()


def test_an_untimed_table_tells_only_those_who_ask(pushed):
    table = slow_table(Pace.UNTIMED)
    user = reached(president(table))
    assert bells(user) == []
    NoticeSettings.objects.create(user=user, untimed_mail=True)

    outbox.send_due(later())

    assert sent(pushed) == (1, 0)


def test_a_mail_is_in_the_readers_language():
    user, now = one_turn()
    user.mail_language = "ru"
    user.save()

    outbox.send_due(now)

    assert mail.outbox[0].extra_headers["Content-Language"] == "ru"


# Dates --------------------------------------------------------------------------------------------


def test_both_reminders_go_once_to_each_player_by_bell_mail_and_push(pushed):
    table = scheduled("Boris")
    boris, at = reached(person("Boris")), table.scheduled_at

    for now in (at - DAY - MINUTE, at - DAY + MINUTE, at - DAY + 2 * MINUTE, at - 2 * HOUR):
        remind(now)
    assert bells(boris) == bells(person("Ada")) == ["day"]
    assert sent(pushed) == (1, 1)

    for now in (at - 14 * MINUTE, at - 13 * MINUTE):
        remind(now)

    # The bell keeps only the newest.
    assert bells(boris) == ["soon"]
    assert sent(pushed) == (2, 2)
    assert pushed[0]["title"] == "Your table meets soon"
    assert pushed[0]["url"] == table.get_absolute_url()


def test_a_device_that_comes_online_after_the_date_is_not_told_that_it_comes(pushed):
    table = scheduled("Boris")
    reached(person("Boris"))

    remind(table.scheduled_at - 10 * MINUTE)

    assert [each["kept"] for each in pushed] == [600]


def test_a_table_for_tomorrow_morning_reminds_once():
    table = scheduled("Boris", at=timezone.now() + 5 * HOUR)
    Table.objects.update(reminds_at=table_notices.next_reminder(table.scheduled_at, timezone.now()))

    remind(timezone.now() + MINUTE)
    assert bells(person("Boris")) == []
    remind(table.scheduled_at - 10 * MINUTE)

    assert bells(person("Boris")) == ["soon"]


def test_a_reminder_of_a_day_that_comes_too_late_is_left_out():
    table = scheduled("Boris")

    remind(table.scheduled_at - 30 * MINUTE)
    assert bells(person("Boris")) == []
    remind(table.scheduled_at - 10 * MINUTE)

    assert bells(person("Boris")) == ["soon"]


@pytest.mark.parametrize("visibility", [Visibility.PUBLIC, Visibility.PRIVATE])
def test_who_has_left_hears_nothing_more_of_the_table(pushed, visibility):
    table = scheduled("Boris", visibility=visibility)
    boris = reached(person("Boris"))
    table_notices.remind_due(table.scheduled_at - 10 * MINUTE)
    tables.leave_table(table=table, user=boris)

    outbox.send_due(table.scheduled_at - 9 * MINUTE)

    assert sent(pushed) == (0, 0)


def test_a_moved_table_reminds_of_its_new_date_alone(pushed):
    table = scheduled("Boris")
    boris, first = reached(person("Boris")), table.scheduled_at
    # Quiet hours hold the mail of the first date back.
    table_notices.remind_due(first - 10 * HOUR)
    appointments.move_date(
        table=table, user=person("Ada"), scheduled_at=first + 2 * DAY, now=first - 9 * HOUR
    )
    remind(first - 8 * HOUR)
    # Nothing is due for the old date any more.
    remind(first - 5 * MINUTE)
    assert bells(boris) == ["moved"]
    assert [each["title"] for each in pushed] == ["Your table has a new date"]
    assert len(mail.outbox) == 1

    remind(first + 2 * DAY - 20 * HOUR)

    assert bells(boris) == ["day"]
    assert sent(pushed) == (2, 2)


def test_a_read_reminder_of_the_old_date_is_not_mailed_either():
    table = scheduled("Boris")
    first = table.scheduled_at
    reached(person("Boris"))
    table_notices.remind_due(first - 10 * HOUR)
    Notification.objects.update(read_at=timezone.now())

    appointments.move_date(
        table=table, user=person("Ada"), scheduled_at=first + 2 * DAY, now=first - 9 * HOUR
    )
    outbox.send_due(first - 8 * HOUR)

    assert [letter.subject for letter in mail.outbox] == ["Your table has a new date"]


def test_a_cancelled_table_is_told_of_and_reminds_no_more(pushed):
    table = scheduled("Boris")
    boris = reached(person("Boris"))
    table_notices.remind_due(table.scheduled_at - 10 * MINUTE)
    tables.close_table(table=table, user=person("Ada"))

    remind(timezone.now())

    assert [each["title"] for each in pushed] == ["Your table is cancelled"]
    assert bells(boris) == ["cancelled"]


def test_a_mail_names_the_date_in_the_user_s_time_zone_and_language():
    scheduled("Boris", at=datetime(2027, 3, 28, 18, 0, tzinfo=UTC))
    boris = reached(person("Boris"))
    # The clocks have changed on this day, so it is summer time already.
    boris.time_zone = "Europe/Warsaw"
    boris.save()

    remind(datetime(2027, 3, 28, 17, 50, tzinfo=UTC))

    [letter] = mail.outbox
    assert "28 March 2027 at 20:00 (CEST)" in letter.body


def test_the_worker_s_task_reminds(pushed):
    table = scheduled("Boris", at=timezone.now() + 10 * MINUTE)
    reached(person("Boris"))

    for _ in range(2):
        tasks.send_notices()

    assert [each["url"] for each in pushed] == [table.get_absolute_url()]


# Calls --------------------------------------------------------------------------------------------


def test_a_call_is_pushed_once(pushed):
    table, boris = gather(NAMES[:5]), reached(person("Boris"))
    table_notices.call_user(user_pk=boris.pk, table=table, now=timezone.now(), pushes=True)

    for _ in range(2):
        outbox.send_due(timezone.now())

    assert [each["url"] for each in pushed] == [table.get_absolute_url()]
    assert not mail.outbox


def test_a_call_in_a_quiet_hour_is_not_pushed_when_it_ends(pushed):
    table, boris = gather(NAMES[:5]), reached(person("Boris"))
    NoticeSettings.objects.create(user=boris, quiet_from=22, quiet_until=7)
    night = datetime(2027, 1, 1, 6, 40, tzinfo=UTC)
    table_notices.call_user(user_pk=boris.pk, table=table, now=night, pushes=True)

    for minutes in (0, 30):
        outbox.send_due(night + minutes * MINUTE)

    assert sent(pushed) == (0, 0)
    assert bells(boris) == ["called"]


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
