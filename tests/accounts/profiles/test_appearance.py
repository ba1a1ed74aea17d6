"""Theme, motion and time zone: from the account, else the browser, else the system."""

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Notification, User
from accounts.profiles.choices import PAGE_PARTS, Audience
from accounts.services import exports
from tests.builders.tables import person, run_table

pytestmark = pytest.mark.django_db

LOOK, PREFERENCES = "/account/look/", "/account/preferences/"


@pytest.fixture
def ada() -> User:
    return person("Ada")


@pytest.fixture
def browser(ada) -> Client:
    client = Client()
    client.force_login(ada)
    return client


def head(client: Client, path: str = "/") -> str:
    """Return the first lines of the page."""
    return client.get(path).content.decode().partition("<title>")[0]


# Theme and motion ---------------------------------------------------------------------------------


def test_without_a_choice_the_system_has_it():
    page = head(Client())

    assert '<meta name="color-scheme" content="light dark">' in page
    assert "data-theme" not in page and "data-motion" not in page


def test_a_visitor_s_choice_is_kept_in_the_browser():
    client = Client()
    answer = client.post(LOOK, {"theme": "dark", "motion": "reduced"})

    assert (answer.status_code, answer.headers["Location"]) == (303, LOOK)
    page = head(client)
    assert 'data-theme="dark" data-motion="reduced"' in page
    assert '<meta name="color-scheme" content="dark">' in page
    assert '<option value="dark" selected>' in client.get(LOOK).content.decode()

    client.post(LOOK, {"theme": "", "motion": ""})
    assert "data-theme" not in head(client) and "data-motion" not in head(client)


def test_an_account_s_choice_goes_with_it_to_another_browser(browser, ada):
    browser.post(LOOK, {"theme": "light", "motion": "reduced"})
    other = Client()
    other.force_login(ada)

    assert 'data-theme="light" data-motion="reduced"' in head(other)
    other.cookies["theme"] = "dark"
    assert 'data-theme="light"' in head(other)


def test_who_signs_out_keeps_the_look(browser):
    browser.post(LOOK, {"theme": "dark"})
    browser.post("/account/sign-out/")

    assert 'data-theme="dark"' in head(browser)


@pytest.mark.parametrize("value", ["pink", '"><script>', "", "x" * 3000])
def test_a_cookie_that_makes_no_sense_is_as_none(value):
    client = Client()
    client.cookies["theme"] = client.cookies["motion"] = client.cookies["time_zone"] = value

    page = client.get("/").content.decode()
    assert "data-theme" not in page and "data-motion" not in page


def test_the_form_leads_to_no_other_site():
    answer = Client().post(LOOK, {"theme": "dark", "next": "https://example.org/"})
    assert answer.headers["Location"] == LOOK


# Time zones ---------------------------------------------------------------------------------------


@pytest.fixture
def told(ada) -> Notification:
    """Create a notification that was sent at 23:30 UTC."""
    at = datetime(2026, 7, 1, 23, 30, tzinfo=UTC)
    return Notification.objects.create(user=ada, kind="asked", by=person("Boris"), at=at)


def when(client: Client) -> str:
    page = client.get("/account/notifications/").content.decode()
    return page.partition('class="told-at"')[2].partition(">")[2].partition("<")[0]


@pytest.mark.parametrize(
    ("account", "cookie", "expected"),
    [
        ("", "", "1 Jul 2026, 23:30 UTC"),
        ("", "Europe/Warsaw", "2 Jul 2026, 01:30 CEST"),
        ("Asia/Tokyo", "Europe/Warsaw", "2 Jul 2026, 08:30 JST"),
        ("", "Europe/Nowhere", "1 Jul 2026, 23:30 UTC"),
        ("", "../../etc/passwd", "1 Jul 2026, 23:30 UTC"),
        ("Gone/Away", "", "1 Jul 2026, 23:30 UTC"),
    ],
)
def test_days_and_hours_are_told_in_the_reader_s_zone(
    browser, ada, told, account, cookie, expected
):
    User.objects.update(time_zone=account)
    if cookie:
        browser.cookies["time_zone"] = cookie

    assert when(browser) == expected


def test_one_reader_s_zone_is_not_the_next_one_s(browser, told):
    browser.cookies["time_zone"] = "Asia/Tokyo"
    when(browser)
    assert timezone.get_current_timezone_name() == "UTC"


def test_what_all_viewers_of_a_table_share_is_in_no_one_s_zone(ada):
    table = run_table()
    clients = [Client(), Client()]
    clients[0].cookies["time_zone"] = "Asia/Tokyo"
    banners = [
        client.get(table.get_absolute_url()).content.decode().partition("data-countdown>")[2][:9]
        for client in clients
    ]
    assert banners[0] == banners[1] == f"{table.game.deadline:%H:%M} UTC"


# The preferences page -----------------------------------------------------------------------------


def test_all_of_it_is_kept(browser, ada):
    chosen = {
        "language": "pl",
        "time_zone": "Europe/Warsaw",
        "theme": "dark",
        "motion": "reduced",
        "country": "PL",
        "spoken": ["pl", "de"],
        **{f"shows_{part}": "friends" for part in PAGE_PARTS},
    }
    answer = browser.post(PREFERENCES, chosen)

    assert answer.status_code == 303
    ada.refresh_from_db()
    assert {name: getattr(ada, name) for name in chosen} == chosen
    page = browser.get(PREFERENCES).content.decode()
    assert page.count('<option value="friends" selected>') == len(PAGE_PARTS)
    assert page.count("checked") == 2
    assert 'data-theme="dark" data-motion="reduced" data-zone="Europe/Warsaw"' in page


def test_what_a_form_does_not_say_about_is_shown_to_no_one_more(browser, ada):
    User.objects.update(shows_about=Audience.NOBODY)
    browser.post(PREFERENCES, {"language": ""})

    ada.refresh_from_db()
    assert ada.shows_about == Audience.NOBODY and ada.shows_games == Audience.FRIENDS


@pytest.mark.parametrize(
    "wrong",
    [
        {"time_zone": "Europe/Nowhere"},
        {"country": "XX"},
        {"country": "poland"},
        {"spoken": ["pl", "klingon"]},
        {"spoken": ["en", "ru", "pl", "ja", "it", "de"]},
        {"shows_page": "enemies"},
        {"theme": "pink"},
        {"motion": "more"},
        {"time_zone": "\0"},
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_saved_or_lost(browser, ada, wrong):
    answer = browser.post(PREFERENCES, {"country": "JP", "mask_words": "on"} | wrong)
    page = answer.content.decode()

    assert answer.status_code == 422
    assert 'class="errorlist"' in page and "Nothing was saved" in page
    if "country" not in wrong:
        assert '<option value="JP" selected>' in page
    ada.refresh_from_db()
    assert not ada.mask_words and ada.country == ada.time_zone == "" and ada.spoken == []


def test_the_export_has_what_one_says_of_oneself(ada):
    ada.country, ada.spoken, ada.time_zone = "PL", ["pl"], "Europe/Warsaw"
    ada.save()

    account = exports.export_data_of(ada)["account"]
    assert (account["country"], account["spoken"], account["time_zone"]) == (
        "PL",
        ["pl"],
        "Europe/Warsaw",
    )
    assert account["shows_games"] == "friends"
    assert account["person_key"] == ada.person_key
