"""A user's preferences: a page of them, and switches of one press."""

import pytest
from django.test import Client

from accounts.models import User
from accounts.services.preferences import SWITCHES
from tests.builders.person import Person
from tests.builders.tables import person, run_table

pytestmark = pytest.mark.django_db

PAGE = "/account/preferences/"


@pytest.fixture
def ada() -> User:
    return person("Ada")


@pytest.fixture
def browser(ada) -> Client:
    client = Client()
    client.force_login(ada)
    return client


def viewer_settings(user: User) -> set[str]:
    user.refresh_from_db()
    return {name for name in SWITCHES if getattr(user, name)}


def test_a_new_account_has_sounds_and_the_title_and_nothing_that_asks_or_hides(ada):
    assert viewer_settings(ada) == {"sounds", "calls_title", "hints"}


def test_what_is_chosen_is_kept_and_said_in_the_language_chosen(browser, ada):
    answer = browser.post(PAGE, {"language": "pl", "mask_words": "on", "notifies": "on"})

    assert (answer.status_code, answer.headers["Location"]) == (303, PAGE)
    assert answer.cookies["django_language"].value == "pl"
    assert viewer_settings(ada) == {"mask_words", "notifies"}
    assert ada.language == "pl"
    page = browser.get(PAGE)
    assert page.headers["Content-Language"] == "pl"
    assert 'class="message success"' in page.content.decode()


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_turns_one_preference_on_and_off(browser, ada, name):
    before = viewer_settings(ada)
    for is_on in ("on", "off", "on"):
        answer = browser.post(
            f"{PAGE}switch/", {"name": name, "is_on": is_on, "next": "/account/people/"}
        )
        assert answer.headers["Location"] == "/account/people/"
        assert viewer_settings(ada) == (before | {name} if is_on == "on" else before - {name})


@pytest.mark.parametrize("name", ["is_staff", "username", "", "\0"])
def test_a_switch_turns_on_nothing_else(browser, ada, name):
    answer = browser.post(f"{PAGE}switch/", {"name": name, "is_on": "on"})

    assert answer.status_code == 400
    ada.refresh_from_db()
    assert not ada.is_staff and ada.username == "Ada"


def test_a_switch_leads_to_no_other_site(browser):
    answer = browser.post(
        f"{PAGE}switch/", {"name": "sounds", "is_on": "on", "next": "https://example.org/"}
    )
    assert answer.headers["Location"] == PAGE


def test_the_cards_of_who_hides_their_role_are_covered_from_the_first_byte_on(ada):
    table = run_table()
    viewer = Person(ada, table)
    assert 'class="table-page fitted covered"' not in viewer.page()
    assert 'class="mine secret"' in viewer.page()

    viewer.post(f"{PAGE}switch/", {"name": "hides_role", "is_on": "on"}, htmx=True)

    assert 'class="table-page fitted covered"' in viewer.page()
    # The preference belongs to one user: others see the page without it.
    assert 'class="table-page fitted covered"' not in Person(person("Boris"), table).page()
