"""Scheduled tables in the browser: the form, the lists, the table's page, and the calendar file."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.forms import MoveDateForm
from games.models import Pace, Table, Terms, Visibility
from games.selectors import appointments as lists
from games.services import appointments, ready, tables, timed_questions
from tests.builders.person import Person
from tests.builders.tables import NAMES, fresh, person

pytestmark = pytest.mark.django_db

OK, SEE_OTHER, NOT_FOUND, REFUSED = 200, 303, 404, 422
DAY, HOUR, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(seconds=1)
PLAIN = {"edition": "en", "seats_wanted": "7", "pace": "normal"}
FIVE = NAMES[:5]


def browser(name: str = "", zone: str = "") -> Client:
    """Return the browser of a user with this time zone, or of a visitor."""
    client = Client()
    if name:
        user = person(name)
        User.objects.filter(pk=user.pk).update(time_zone=zone)
        client.force_login(user)
    return client


def scheduled(*names: str, host: str = "Ada", at: datetime | None = None, **terms) -> Table:
    how = {"edition": "en", "seats_wanted": 7} | terms
    at = at or timezone.now() + 2 * DAY
    table = tables.open_table(host=person(host), terms=Terms(**how), scheduled_at=at)
    for name in names:
        tables.join_table(table=table, user=person(name))
    return fresh(table)


def page_of(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == OK
    return answer.content.decode()


def typed(moment: datetime, zone: str) -> dict[str, str]:
    """Return what a host types for this moment in this time zone."""
    here = moment.astimezone(ZoneInfo(zone))
    return {"meets_on": f"{here:%Y-%m-%d}", "meets_at": f"{here:%H:%M}"}


# The form -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Kolkata", ""])
def test_the_host_s_time_zone_says_what_the_time_means(zone):
    at = (timezone.now() + 3 * DAY).replace(second=0, microsecond=0)

    answer = browser("Ada", zone).post("/tables/new/", PLAIN | typed(at, zone or "UTC"))

    assert answer.status_code == SEE_OTHER
    assert Table.objects.get().scheduled_at == at


def test_the_zone_in_which_the_page_showed_the_fields_counts():
    at = (timezone.now() + 3 * DAY).replace(second=0, microsecond=0)
    sent = PLAIN | typed(at, "UTC") | {"zone": "UTC"}

    # The browser's time zone became known only after the page was made.
    client = browser("Ada")
    client.cookies["time_zone"] = "Asia/Tokyo"
    client.post("/tables/new/", sent)

    assert Table.objects.get().scheduled_at == at


def test_without_a_date_a_table_gathers_at_once():
    browser("Ada").post("/tables/new/", PLAIN | {"meets_on": "", "meets_at": ""})

    assert Table.objects.get().scheduled_at is None


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"meets_at": ""}, "needs a day and a time"),
        ({"meets_on": ""}, "needs a day and a time"),
        ({"meets_on": "yesterday"}, "Enter a valid date"),
        ({"meets_at": "25:00"}, "Enter a valid time"),
        ({"meets_on": "2020-01-01"}, "at least ten minutes from now"),
        ({"meets_on": "2199-01-01"}, "within the next 60 days"),
        (
            {"meets_on": "0001-01-01", "meets_at": "00:30", "zone": "Asia/Tokyo"},
            "at least ten minutes from now",
        ),
        (
            {"meets_on": "9999-12-31", "meets_at": "23:30", "zone": "America/New_York"},
            "within the next 60 days",
        ),
    ],
)
def test_a_wrong_date_comes_back_with_why_and_what_was_typed(changes, why):
    sent = PLAIN | typed(timezone.now() + DAY, "UTC") | changes

    answer = browser("Ada").post("/tables/new/", sent)

    html = answer.content.decode()
    assert answer.status_code == REFUSED
    assert why in html
    assert not Table.objects.exists()
    # The fold with the error is open.
    assert html.split(why)[0].rpartition("<details")[2].split(">")[0].endswith(" open")
    assert all(f'value="{sent[name]}"' in html for name in ("meets_on", "meets_at") if sent[name])


@pytest.fixture
def autumn(monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 10, 20, 12, tzinfo=UTC))


@pytest.fixture
def spring(monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: datetime(2027, 3, 20, 12, tzinfo=UTC))


def form_for(day: str, time: str, zone: str) -> MoveDateForm:
    return MoveDateForm({"meets_on": day, "meets_at": time, "zone": zone})


def test_a_time_that_the_clocks_skip_is_an_error(spring):
    form = form_for("2027-03-28", "02:30", "Europe/Warsaw")

    assert not form.is_valid()
    assert "The clocks change that night" in form.errors["meets_at"][0]


def test_a_time_that_comes_twice_is_the_first_of_both(autumn):
    form = form_for("2026-10-25", "02:30", "Europe/Warsaw")

    assert form.is_valid()
    assert form.cleaned_data["scheduled_at"] == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("day", "zone", "hour"),
    [
        # Warsaw's clocks change on the 28th, New York's changed on the 14th, and Tokyo's never do.
        ("2027-03-27", "Europe/Warsaw", 19),
        ("2027-03-28", "Europe/Warsaw", 18),
        ("2027-03-28", "Asia/Tokyo", 11),
        ("2027-03-27", "America/New_York", 24),
    ],
)
def test_eight_in_the_evening_is_another_moment_after_the_clocks_change(spring, day, zone, hour):
    form = form_for(day, "20:00", zone)

    assert form.is_valid()
    midnight = datetime.fromisoformat(f"{day}T00:00+00:00")
    assert form.cleaned_data["scheduled_at"] == midnight + hour * HOUR


# The lists ----------------------------------------------------------------------------------------


def test_the_lobby_shows_upcoming_tables_in_the_reader_s_zone_and_language():
    scheduled("Boris", at=datetime(2026, 11, 1, 18, tzinfo=UTC) + _days_ahead())
    [row] = lists.upcoming_in_lobby(None).rows

    warsaw = page_of(browser("Chika", "Europe/Warsaw"), "/")
    tokyo = page_of(browser("Dario", "Asia/Tokyo"), "/")

    assert row.at.astimezone(ZoneInfo("Europe/Warsaw")).strftime("%H:%M CE") in warsaw
    assert row.at.astimezone(ZoneInfo("Asia/Tokyo")).strftime("%H:%M JST") in tokyo
    assert "2 of 7 seats taken" in warsaw
    polish = Client(headers={"Accept-Language": "pl"}).get("/").content.decode()
    assert "UTC" in polish
    assert row.at.isoformat(timespec="seconds") in polish


def _days_ahead() -> timedelta:
    """Return so many whole days that a date of November 2026 comes in three to four days."""
    return timedelta(days=(timezone.now() - datetime(2026, 11, 1, tzinfo=UTC)).days + 3)


def test_own_tables_stand_apart_from_those_of_others():
    own, other = scheduled("Boris"), scheduled(host="Chika")
    html = page_of(browser("Boris"), "/")

    mine, _, rest = html.partition('id="appointments"')[2].partition("</section>")
    assert own.code in mine
    assert other.code not in mine
    upcoming = html.partition('id="upcoming"')[2].partition("</section>")[0]
    assert other.code in upcoming
    assert own.code not in upcoming
    assert rest


def test_unlisted_and_private_tables_are_on_no_one_else_s_list():
    for visibility in (Visibility.UNLISTED, Visibility.PRIVATE):
        scheduled("Boris", visibility=visibility)

    assert not lists.upcoming(None).rows
    assert not lists.upcoming_in_lobby(person("Chika")).rows
    assert len(lists.own_appointments(person("Boris"))) == 2


def test_tables_that_have_met_or_were_cancelled_are_not_upcoming():
    met, cancelled = scheduled("Boris"), scheduled()
    tables.close_table(table=cancelled, user=person("Ada"))
    appointments.settle_due(met.scheduled_at + SECOND)

    assert not lists.upcoming(None).rows
    assert not lists.own_appointments(person("Boris"))


def test_the_filters_of_the_lobby_hold():
    fitting = scheduled(pace=Pace.BLITZ, languages=("pl",))
    scheduled(languages=("ru",))
    client = browser("Boris")

    for query in ("pace=blitz", "language=pl", "pace=blitz&language=pl&size=5-6&free=on"):
        upcoming = page_of(client, f"/?{query}").partition('id="upcoming"')[2]
        assert upcoming.partition("</section>")[0].count("/tables/") == 1, query
        assert fitting.code in upcoming
    assert 'id="upcoming"' not in page_of(client, "/?friends=on")


def test_the_list_goes_on_page_by_page_and_each_table_comes_once(monkeypatch):
    monkeypatch.setattr(lists, "PAGE", 2)
    at = timezone.now() + DAY
    # Two meet at the same moment.
    codes = [scheduled(at=at + max(0, n - 1) * HOUR).code for n in range(5)]

    seen, after = [], ""
    for _ in range(3):
        page = lists.upcoming(None, after=after)
        seen += [row.table.code for row in page.rows]
        after = page.after

    assert seen == codes
    assert after == ""


@pytest.mark.parametrize(
    "after", ["x", "1_2", "1.5_2", "9" * 30 + ".000000_1", "1.000000_" + "9" * 19, "_"]
)
def test_a_key_that_is_none_begins_at_the_start(after):
    table = scheduled()

    answer = Client().get("/upcoming/", {"after": after})

    assert answer.status_code == OK
    assert table.code in answer.content.decode()


def test_lists_take_the_same_queries_for_one_table_and_for_many(django_assert_num_queries):
    zoe = person("Zoe")
    scheduled()
    with django_assert_num_queries(2):
        lists.upcoming(zoe)
    for _ in range(6):
        scheduled("Boris", "Chika")
    with django_assert_num_queries(2):
        assert len(lists.upcoming(zoe).rows) == 7


# The table's page ---------------------------------------------------------------------------------


def test_the_page_before_the_date_offers_seats_and_nothing_that_starts_the_game():
    table = scheduled(*FIVE[1:])
    host, outsider = page_of(browser("Ada"), f"/tables/{table.code}/"), Person(person("Zoe"), table)

    assert f"/tables/{table.code}/calendar.ics" in host
    assert f"/tables/{table.code}/date/" in host
    assert 'id="start"' not in host
    assert 'id="call-ready"' not in host
    assert "Cancel the table" in host
    assert "I’ll be there" in outsider.page()
    assert f"/tables/{table.code}/date/" not in outsider.page()


def test_who_opens_the_page_at_the_date_is_asked_even_without_a_worker(monkeypatch):
    table = scheduled(*FIVE[1:])
    Table.objects.filter(pk=table.pk).update(scheduled_at=timezone.now() - SECOND)

    html = page_of(browser("Boris"), f"/tables/{table.code}/")

    assert 'id="ready"' in html
    assert "you lose your seat" in html


def test_seats_of_a_date_are_not_shown_as_disconnected():
    table = scheduled("Boris")
    table.seats.update(is_connected=False)
    html = page_of(browser("Ada"), f"/tables/{table.code}/")
    assert "mark-unconnected" not in html


def test_a_host_moves_the_date_and_everyone_sees_it():
    table = scheduled("Boris")
    at = (table.scheduled_at + DAY).replace(second=0, microsecond=0)
    client, path = browser("Ada", "Asia/Tokyo"), f"/tables/{table.code}/date/"
    here = table.scheduled_at.astimezone(ZoneInfo("Asia/Tokyo"))
    assert f'value="{here:%Y-%m-%d}"' in page_of(client, path)

    assert client.post(path, typed(at, "Asia/Tokyo")).status_code == SEE_OTHER

    assert fresh(table).scheduled_at == at
    told = page_of(browser("Boris"), "/account/notifications/")
    assert f"Table {table.code} has a new date" in told
    assert client.post(path, typed(timezone.now(), "Asia/Tokyo")).status_code == REFUSED
    assert client.post(path, {}).status_code == REFUSED


def test_only_the_host_finds_the_form_for_another_date():
    table = scheduled("Boris")

    for client in (browser("Boris"), browser("Zoe"), browser()):
        assert client.get(f"/tables/{table.code}/date/").status_code == NOT_FOUND
        answer = client.post(f"/tables/{table.code}/date/", typed(timezone.now() + DAY, "UTC"))
        assert answer.status_code == NOT_FOUND


def test_the_form_leads_back_to_the_table_once_the_date_has_come():
    table = scheduled("Boris")
    appointments.settle_due(table.scheduled_at + SECOND)

    answer = browser("Ada").post(f"/tables/{table.code}/date/", {}, follow=True)

    assert "date has come" in answer.content.decode()


def test_every_notice_about_a_date_reads_as_a_sentence():
    sentences = {
        "now": "meets now",
        "missed": "your seat is free",
        "failed": "too few players came",
        "cancelled": "called off table",
    }
    met, cancelled = scheduled("Boris", "Chika"), scheduled("Boris", host="Dario")
    tables.close_table(table=cancelled, user=person("Dario"))
    appointments.settle_due(met.scheduled_at + SECOND)
    read = [page_of(browser("Boris"), "/account/notifications/")]
    ready.confirm_ready(table=met, user=person("Ada"))
    timed_questions.settle(met.pk, now=met.scheduled_at + HOUR / 10)
    read.append(page_of(browser("Boris"), "/account/notifications/"))
    appointments.settle_due(met.scheduled_at + HOUR)
    read.append(page_of(browser("Ada"), "/account/notifications/"))

    missing = {kind for kind, words in sentences.items() if not any(words in html for html in read)}
    assert not missing


# The calendar file --------------------------------------------------------------------------------


def test_the_calendar_file_stands_beside_the_page():
    table = scheduled("Boris")

    answer = Client().get(f"/tables/{table.code}/calendar.ics")

    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert answer.headers["Content-Disposition"].endswith(f'-{table.code}.ics"')
    assert f"DTSTART:{table.scheduled_at.astimezone(UTC):%Y%m%dT%H%M%SZ}\r\n" in (
        answer.content.decode()
    )
    # A calendar may be read by others, so no player is named.
    assert "Ada" not in answer.content.decode()
    assert "Boris" not in answer.content.decode()


def test_calendars_take_a_later_date_and_the_end_of_a_table_for_newer():
    table = scheduled("Boris")

    def read() -> tuple[int, str]:
        content = browser("Boris").get(f"/tables/{table.code}/calendar.ics").content.decode()
        return int(content.partition("SEQUENCE:")[2].split()[0]), content

    first, _ = read()
    appointments.move_date(table=table, user=person("Ada"), scheduled_at=table.scheduled_at + HOUR)
    second, _ = read()
    tables.close_table(table=table, user=person("Ada"))
    third, content = read()

    assert first < second < third
    assert "STATUS:CANCELLED\r\n" in content


def test_a_private_table_s_file_needs_the_rights_of_its_page():
    table = scheduled("Boris", visibility=Visibility.PRIVATE)
    path = f"/tables/{table.code}/calendar.ics"

    assert browser("Boris").get(path).status_code == OK
    assert browser("Zoe").get(path).status_code == NOT_FOUND
    assert Client().get(path).status_code == NOT_FOUND
    invited = Client()
    invited.get(f"/tables/{table.code}/invitation/{table.invitation}/")
    assert invited.get(path).status_code == OK


def test_a_table_without_a_date_has_no_file_and_no_form_for_another_date():
    table = tables.open_table(host=person("Ada"), terms=Terms(edition="en", seats_wanted=7))

    for page in ("calendar.ics", "date/"):
        assert browser("Ada").get(f"/tables/{table.code}/{page}").status_code == NOT_FOUND


# From the opening to the game ---------------------------------------------------------------------


def test_five_people_schedule_a_table_and_play():
    at = (timezone.now() + DAY).replace(second=0, microsecond=0)
    host = browser("Ada", "Europe/Warsaw")
    host.post("/tables/new/", PLAIN | {"least_seats": "5"} | typed(at, "Europe/Warsaw"))
    table = Table.objects.get()
    for name in FIVE[1:]:
        assert table.code in page_of(browser(name), "/")
        browser(name).post(f"/tables/{table.code}/join/", {})
    # One cannot come after all, and another takes the seat.
    browser("Ewa").post(f"/tables/{table.code}/leave/", {})
    browser("Zoe").post(f"/tables/{table.code}/join/", {})

    appointments.settle_due(at + SECOND)
    for name in (*FIVE[:4], "Zoe"):
        browser(name).post(f"/tables/{table.code}/ready/", {})

    assert fresh(table).stage in (Table.Stage.SEALING, Table.Stage.RUNNING)
    assert {seat.name for seat in table.seats.all()} == {*FIVE[:4], "Zoe"}
