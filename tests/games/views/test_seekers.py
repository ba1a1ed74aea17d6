"""The pages of "Play now": the form, the wait, the question about bots, and the way out."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Joiners, Seeker, Table, Terms, Visibility
from games.services import hosting, seekers, tables
from tests.builders.person import forms_of
from tests.builders.tables import NAMES, person

SEEK, WAIT, ANSWER = "/seek/", "/seek/wait/", "/seek/answer/"


@pytest.fixture(autouse=True)
def every_poll_looks(monkeypatch):
    """Let polls look for games although the last one was less than a second ago."""
    monkeypatch.setattr(seekers, "settle_once_a_second", seekers.settle)


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def ada(db) -> Client:
    return browser(person("Ada"))


def waits_since(seconds: int) -> None:
    now = timezone.now() - timedelta(seconds=seconds)
    Seeker.objects.update(since=now, ask_at=now + seekers.ASKED_AFTER)


def buttons(page: str) -> set[str]:
    return {button for form in forms_of(page) for button, _, _ in form.buttons if button}


def test_one_press_in_the_lobby_begins_the_wait(ada):
    page = ada.get("/").content.decode()
    [form] = [form for form in forms_of(page) if any(b[0] == "seek" for b in form.buttons)]

    answer = ada.post(form.action, form.fields)

    assert (answer.status_code, answer.url) == (303, SEEK)
    seeker = Seeker.objects.get()
    assert (seeker.pace, seeker.languages) == ("normal", ["en"])
    assert "seek-page" in ada.get("/").content.decode()


def test_the_languages_come_from_the_profile_and_later_from_the_last_search(db):
    client = browser(person("Ada", spoken=["pl", "it"]))
    client.get(SEEK)
    page = client.get(SEEK).content.decode()
    assert 'value="pl" id="seek_languages' in page.replace("checked ", "")

    client.post(SEEK, {"pace": "blitz", "languages": ["ja"], "size": "9-10", "edition": "pl"})
    client.post(ANSWER, {"answer": "leave"})

    page = client.get("/").content.decode()
    assert '<input type="hidden" name="languages" value="ja">' in page
    assert '<input type="hidden" name="pace" value="blitz">' in page


def test_the_page_asks_about_bots_only_after_a_minute(ada):
    ada.post(SEEK, {"pace": "normal"})
    assert buttons(ada.get(SEEK).content.decode()) == {"seek-leave", "seek"}

    waits_since(61)
    page = ada.get(SEEK).content.decode()

    assert {"seek-bots", "seek-on", "seek-leave"} <= buttons(page)
    assert "1:0" in page


def test_a_user_who_agrees_is_taken_to_a_game_with_bots(ada):
    ada.post(SEEK, {"pace": "normal"})
    waits_since(61)
    ada.post(ANSWER, {"answer": "bots"})
    assert ada.get(SEEK).status_code == 200
    Seeker.objects.update(bots_since=timezone.now() - timedelta(seconds=10))

    answer = ada.get(SEEK)

    table = Table.objects.get()
    assert (answer.status_code, answer.url) == (303, table.get_absolute_url())
    assert table.seats.exclude(bot="").count() == 6


def test_a_user_who_keeps_waiting_is_not_asked_again_at_once(ada):
    ada.post(SEEK, {"pace": "normal"})
    waits_since(61)

    ada.post(ANSWER, {"answer": "wait"})

    assert "seek-bots" not in buttons(ada.get(SEEK).content.decode())


def test_a_user_who_stops_looking_goes_to_the_lobby(ada):
    ada.post(SEEK, {"pace": "normal"})

    answer = ada.post(ANSWER, {"answer": "leave"})

    assert (answer.status_code, answer.url) == (303, "/")
    assert not Seeker.objects.exists()
    assert ada.get(WAIT).url == SEEK


def test_polls_of_all_five_lead_to_the_same_table(db):
    clients = [browser(person(name)) for name in NAMES[:5]]
    for client in clients:
        client.post(SEEK, {"pace": "normal"})
    waits_since(10)

    answers = [client.get(WAIT, headers={"HX-Request": "true"}) for client in clients]

    url = Table.objects.get().get_absolute_url()
    assert [answer.headers["HX-Redirect"] for answer in answers] == [url] * 5


def test_the_poll_says_the_state_again_only_when_it_has_changed(ada):
    ada.post(SEEK, {"pace": "normal"})

    assert "seek-told" in ada.get(WAIT, {"state": "people-9"}).content.decode()
    assert "seek-told" not in ada.get(WAIT, {"state": "people-1"}).content.decode()


@pytest.mark.parametrize(
    "data",
    [
        {"pace": "untimed"},
        {"pace": "\0"},
        {"pace": "normal", "languages": ["xx"]},
        {"pace": "normal", "edition": "x" * 5000},
        {"pace": "normal", "size": "11"},
    ],
)
def test_bad_choices_come_back_with_an_error_and_seat_no_one(ada, data):
    answer = ada.post(SEEK, data)

    assert answer.status_code == 422
    assert "errorlist" in answer.content.decode()
    assert not Seeker.objects.exists()


def test_a_page_without_scripts_refreshes_itself_while_the_user_waits(ada):
    refreshes = '<noscript><meta http-equiv="refresh"'
    assert refreshes not in ada.get(SEEK).content.decode()

    ada.post(SEEK, {"pace": "normal"})

    assert refreshes in ada.get(SEEK).content.decode()


# A table that gathers -----------------------------------------------------------------------------


def opened(host: str, **terms: object) -> Table:
    how = {"edition": "en", "seats_wanted": 5, "languages": ("en",)} | terms
    return tables.open_table(host=person(host), terms=Terms(**how))


def offered(client: Client, path: str = SEEK) -> str:
    page = client.get(path).content.decode()
    [section] = re.findall(r'<section id="seek-offer".*?</section>', page, re.DOTALL)
    return section


def test_who_waits_is_offered_the_fullest_table_that_fits_and_sits_there_by_one_press(ada):
    opened("Boris")
    fuller = opened("Chika")
    tables.join_table(table=fuller, user=person("Dario"))
    ada.post(SEEK, {"pace": "normal", "languages": ["en"]})
    page = offered(ada)
    assert "<bdi>Chika</bdi>’s table" in page and "2 of 5 seats taken" in page

    [form] = forms_of(page)
    answer = ada.post(form.action, form.fields)

    assert (answer.status_code, answer.url) == (303, fuller.get_absolute_url())
    assert fuller.seats.filter(user=person("Ada")).exists()
    assert not Seeker.objects.filter(table=None).exists()


def test_a_table_that_opens_is_offered_at_the_next_look(ada):
    ada.post(SEEK, {"pace": "normal", "languages": ["en"], "edition": "en"})
    assert "<form" not in offered(ada) and "<form" not in offered(ada, WAIT)
    opened("Boris")

    page = offered(ada, WAIT)

    assert "Boris" in page and 'data-hx-swap-oob="true"' in page and "<form" in page


@pytest.mark.parametrize(
    "terms",
    [
        {"pace": "blitz"},
        {"languages": ("ja",)},
        {"edition": "ru", "seats_wanted": 7},
        {"house_rules": {"hitler_zone": 2}},
        {"joiners": Joiners.FRIENDS},
        {"visibility": Visibility.UNLISTED},
    ],
)
def test_a_table_that_does_not_fit_is_not_offered(ada, terms):
    opened("Boris", **terms)
    ada.post(SEEK, {"pace": "normal", "languages": ["en"], "edition": "en"})

    assert "<form" not in offered(ada)


def test_a_table_that_removed_the_user_is_not_offered(ada):
    table = opened("Boris")
    tables.join_table(table=table, user=person("Ada"))
    hosting.kick(table=table, user=person("Boris"), number=1, name="Ada")
    ada.post(SEEK, {"pace": "normal", "languages": ["en"]})

    assert "<form" not in offered(ada)
