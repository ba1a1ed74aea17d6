"""Which language a visitor reads: the account's, else the cookie's, else the browser's."""

import pytest
from django.conf import settings as django_settings
from django.test import Client

from accounts.models import User

LANGUAGES = [code for code, _ in django_settings.LANGUAGES]
PATHS = ("/", "/account/register/", "/account/sign-in/", "/nowhere/")

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    user = User(username="Ada")
    user.set_unusable_password()
    user.save()
    return user


@pytest.fixture
def signed_in(ada, client) -> Client:
    client.force_login(ada)
    return client


def choose(client: Client, language: str, **more: str):
    return client.post("/account/language/", {"language": language, **more})


def read(client: Client, path: str = "/", **headers: str) -> str:
    """Return the language of a page, and check that its header says the same."""
    answer = client.get(path, **headers)
    language = answer.headers["Content-Language"]
    assert f'<html lang="{language}"' in answer.content.decode()
    return language


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_says_its_language(client, language):
    for path in PATHS:
        assert read(client, path, HTTP_ACCEPT_LANGUAGE=language) == language


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("pl-PL,pl;q=0.9,en;q=0.8", "pl"),
        ("de,ja;q=0.5,en;q=0.4", "ja"),
        ("ru-RU", "ru"),
        ("de", "en"),
        ("", "en"),
        ("*", "en"),
        ("it-CH;q=0.8, fr", "it"),
    ],
)
def test_the_browser_s_languages_are_weighed(client, asked, language):
    assert read(client, HTTP_ACCEPT_LANGUAGE=asked) == language


def test_an_edition_s_voice_is_not_a_language_of_the_site(client):
    assert read(client, HTTP_ACCEPT_LANGUAGE="ru-5-6") == "ru"
    choose(client, "ru-5-6")
    assert "django_language" not in client.cookies


def test_a_choice_is_kept_in_a_cookie_and_wins_over_the_browser(client):
    answer = choose(client, "ja", next="/account/sign-in/")

    assert (answer.status_code, answer.headers["Location"]) == (302, "/account/sign-in/")
    cookie = answer.cookies["django_language"]
    assert (cookie.value, cookie["samesite"], cookie["httponly"]) == ("ja", "Lax", True)
    assert read(client, HTTP_ACCEPT_LANGUAGE="pl") == "ja"


def test_the_account_s_language_wins_over_cookie_and_browser(signed_in, ada):
    choose(signed_in, "ja")
    ada.refresh_from_db()
    assert ada.language == "ja"

    ada.language = "it"
    ada.save()

    assert read(signed_in, HTTP_ACCEPT_LANGUAGE="pl") == "it"


def test_an_account_without_a_language_reads_as_a_visitor_does(signed_in):
    assert read(signed_in, HTTP_ACCEPT_LANGUAGE="pl") == "pl"


def test_whoever_registers_keeps_the_language_they_read(client):
    data = {"username": "Chika", "password1": "a long way to Tipperary"}

    client.post("/account/register/", data, HTTP_ACCEPT_LANGUAGE="ja,en;q=0.5")

    assert User.objects.get().language == "ja"
    assert read(client, HTTP_ACCEPT_LANGUAGE="pl") == "ja"


@pytest.mark.parametrize(
    "language", ["", "xx", "EN", "en\0", "../en", "x" * 5000, "ru-5-6", "日本語"]
)
def test_an_unknown_language_changes_nothing(signed_in, ada, language):
    choose(signed_in, "pl")

    answer = choose(signed_in, language)

    assert answer.status_code == 302
    assert "django_language" not in answer.cookies
    ada.refresh_from_db()
    assert ada.language == "pl"
    assert read(signed_in) == "pl"


@pytest.mark.parametrize(
    "evil",
    [
        *("https://evil.example/", "//evil.example", "///evil.example", "javascript:alert(1)"),
        *("/\\evil.example", "http:///evil.example", "\0//evil", "http://[::1"),
        *("ftp://testserver/", "https://testserver.evil.example/"),
    ],
)
def test_one_goes_back_to_this_site_only(client, evil):
    answer = choose(client, "ja", next=evil)

    assert answer.headers["Location"] == "/"
    assert answer.cookies["django_language"].value == "ja"


def test_the_language_is_changed_by_its_form_and_not_by_a_link(client):
    assert client.get("/account/language/?language=ja").status_code == 405
    assert Client(enforce_csrf_checks=True).post("/account/language/").status_code == 403


@pytest.mark.parametrize("cookie", ["xx", "", "x" * 2000, "ru-5-6", "EN"])
def test_a_cookie_of_no_language_of_ours_is_ignored(client, cookie):
    client.cookies["django_language"] = cookie

    assert read(client, HTTP_ACCEPT_LANGUAGE="pl") in LANGUAGES


def test_caches_are_told_what_the_page_depends_on(client):
    vary = client.get("/").headers["Vary"]

    assert {"Accept-Language", "Cookie"} <= {part.strip() for part in vary.split(",")}


def test_one_answer_s_language_does_not_stay_for_the_next(client):
    read(client, HTTP_ACCEPT_LANGUAGE="ja")

    assert read(Client()) == "en"
