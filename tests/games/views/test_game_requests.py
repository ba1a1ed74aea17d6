"""Finding a game on its page and in the lobby: the form, the wait, the call, and the way out."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import GameRequest, Presence, Table, Terms
from games.services import game_requests, seating, tables
from tests.builders.person import forms_of
from tests.builders.tables import NAMES, person

FIND = "/find/"
HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def every_poll_looks(monkeypatch):
    """Let polls look for games although the last one was less than a second ago."""
    monkeypatch.setattr(seating, "settle_once_a_second", seating.settle)


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def ada(db) -> Client:
    return browser(person("Ada"))


def waits_since(seconds: int) -> None:
    """Let all who look for a game have done so for this long, on an open page."""
    now = timezone.now() - timedelta(seconds=seconds)
    for request in GameRequest.objects.all():
        Presence.objects.create(process="p", user=request.user, seen_at=timezone.now())
    GameRequest.objects.update(since=now)
    GameRequest.objects.exclude(bots_at=None).update(bots_at=now + game_requests.BOTS_AFTER)


def page_of(client: Client, path: str = FIND) -> str:
    return client.get(path).content.decode()


def buttons(page: str) -> set[str]:
    return {button for form in forms_of(page) for button, _, _ in form.buttons if button}


def lobby_form(client: Client):
    [form] = [form for form in forms_of(page_of(client, "/")) if form.action == FIND]
    return form


def test_one_press_in_the_lobby_begins_the_wait(ada):
    form = lobby_form(ada)

    answer = ada.post(form.action, form.fields)

    assert (answer.status_code, answer.url) == (303, FIND)
    request = GameRequest.objects.get()
    assert (request.mode, request.pace, request.languages) == ("seat", "normal", ["en"])
    assert request.bots_at is not None
    assert "wait-page" in page_of(ada, "/")


def test_another_press_in_the_lobby_asks_for_a_call_within_an_hour(ada):
    form = lobby_form(ada)

    ada.post(form.action, form.fields | {"how": "hour"})

    request = GameRequest.objects.get()
    assert (request.mode, request.bots_at) == ("call", None)
    assert request.expires_at < timezone.now() + timedelta(hours=1, seconds=1)
    for path in ("/", FIND):
        assert "You’ll be called" in page_of(ada, path)
        assert "stop-waiting" in buttons(page_of(ada, path))

    assert ada.post(FIND, {"answer": "stop"}).url == "/"
    assert not GameRequest.objects.exists()


def test_the_languages_come_from_the_profile_and_later_from_the_last_search(db):
    client = browser(person("Ada", spoken=["pl", "it"]))
    page = page_of(client)
    assert 'value="pl" id="find_languages' in page.replace("checked ", "")

    client.post(FIND, {"pace": "blitz", "languages": ["ja"], "size": "9-10", "how": "seat"})
    client.post(FIND, {"answer": "stop"})

    form = lobby_form(client)
    assert (form.fields["languages"], form.fields["pace"]) == ("ja", "blitz")
    assert form.fields["size"] == "9-10" and "takes_bots" not in form.fields


@pytest.mark.parametrize("agrees", [True, False])
def test_after_a_minute_bots_come_or_the_page_asks(ada, agrees):
    ada.post(FIND, {"pace": "normal"} | ({"takes_bots": "on"} if agrees else {}))
    page = page_of(ada)
    assert "May bots" not in page and {"wait-bots", "wait-stop"} <= buttons(page)

    waits_since(61)
    answer = ada.get(FIND)

    if agrees:
        assert answer.url == Table.objects.get().get_absolute_url()
    else:
        page = answer.content.decode()
        assert "May bots fill the table?" in page and "1:0" in page
        ada.post(FIND, {"answer": "bots"})
        assert "Getting your game with bots ready" in page_of(ada)


def test_the_press_takes_a_seat_that_completes_a_table_and_offers_one_at_a_smaller_table(ada):
    terms = Terms(edition="en", seats_wanted=7, languages=("en",))
    table = tables.open_table(host=person("Boris"), terms=terms)

    ada.post(FIND, {"pace": "normal", "languages": ["en"]})

    assert f'href="{table.get_absolute_url()}" id="wait-table"' in ada.get(FIND).content.decode()
    assert not table.seats.filter(user=person("Ada")).exists()

    for name in ("Chiaki", "Dario", "Emil"):
        tables.join_table(table=table, user=person(name))
    cache.clear()
    ada.post(FIND, {"pace": "normal", "languages": ["en"]})

    answer = ada.get(FIND)
    assert (answer.status_code, answer.url) == (303, table.get_absolute_url())


def test_a_user_who_stops_looking_goes_to_the_lobby_and_the_poll_to_the_form(ada):
    ada.post(FIND, {"pace": "normal"})

    answer = ada.post(FIND, {"answer": "stop"})

    assert (answer.status_code, answer.url) == (303, "/")
    assert not GameRequest.objects.exists()
    assert ada.get(FIND, headers=HTMX).headers["HX-Redirect"] == FIND


def test_polls_of_all_five_lead_to_the_same_table(db):
    clients = [browser(person(name)) for name in NAMES[:5]]
    for client in clients:
        client.post(FIND, {"pace": "normal"})
    waits_since(10)

    answers = [client.get(FIND, headers=HTMX) for client in clients]

    url = Table.objects.get().get_absolute_url()
    assert [answer.headers["HX-Redirect"] for answer in answers] == [url] * 5


def test_the_poll_says_the_state_again_only_when_it_has_changed(ada):
    ada.post(FIND, {"pace": "normal"})

    def polled(state: str) -> str:
        return ada.get(FIND, {"state": state}, headers=HTMX).content.decode()

    assert "wait-told" in polled("people-9") and "<html" not in polled("people-9")
    assert "wait-told" not in polled("people-1")


@pytest.mark.parametrize(
    "data",
    [
        {"pace": "untimed"},
        {"pace": "\0"},
        {"pace": "normal", "languages": ["xx"]},
        {"pace": "normal", "how": "x" * 5000},
        {"pace": "normal", "size": "11"},
    ],
)
def test_bad_choices_come_back_with_an_error_and_seat_no_one(ada, data):
    answer = ada.post(FIND, data)

    assert answer.status_code == 422
    assert "errorlist" in answer.content.decode()
    assert not GameRequest.objects.exists()


def test_a_page_without_scripts_refreshes_itself_while_the_user_waits(ada):
    refreshes = '<noscript><meta http-equiv="refresh"'
    assert refreshes not in page_of(ada)

    ada.post(FIND, {"pace": "normal"})

    assert refreshes in page_of(ada)


@pytest.mark.parametrize("path", ["join", "wish", "seek", "seek/wait", "seek/answer"])
def test_earlier_addresses_lead_to_the_form(ada, path):
    assert ada.get(f"/{path}/?language=pl").url == "/find/?language=pl"
    assert ada.post(f"/{path}/").url == FIND
