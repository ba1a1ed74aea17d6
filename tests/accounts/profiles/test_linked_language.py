"""Links that carry a language, by which search engines index each page in every language."""

import re
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.test import Client

from accounts.mail.messages import language_of
from accounts.models import User
from accounts.profiles.languages import in_no_language
from accounts.services.preferences import SWITCHES, change_preferences

LANGUAGES = [code for code, _ in settings.LANGUAGES]
PUBLIC = ("/", "/account/register/", "/account/sign-in/")
SITE = "http://testserver"

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    user = User(username="Ada")
    user.set_unusable_password()
    user.save()
    return user


def read(client: Client, path: str, **headers: str) -> str:
    answer = client.get(path, **headers)
    language = answer.headers["Content-Language"]
    assert f'<html lang="{language}"' in answer.content.decode()
    return language


def links(page: str, rel: str) -> dict[str, str]:
    """Return the addresses of the page's links with this `rel`, by language."""
    tags = re.findall(rf'<link rel="{rel}"[^>]*>', page)
    return {
        (re.findall(r'hreflang="([^"]*)"', tag) or [""])[0]: re.findall(r'href="([^"]*)"', tag)[0]
        for tag in tags
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_link_can_carry_a_language_and_it_stays_for_the_pages_that_follow(client, language):
    assert read(client, f"/?lang={language}", HTTP_ACCEPT_LANGUAGE="pl") == language
    assert read(client, "/account/register/", HTTP_ACCEPT_LANGUAGE="pl") == language


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        *((asked, 200) for asked in ("xx", "", "EN", "ru-5-6", "../en", "e" * 500, "日本語")),
        # config/http/bounds.py refuses these, in the language of the browser.
        *(("e" * 5000, 413), ("en\0", 400)),
    ],
)
def test_a_link_that_asks_for_no_language_of_ours_changes_nothing(client, asked, status):
    answer = client.get("/", {"lang": asked}, HTTP_ACCEPT_LANGUAGE="pl")

    assert (answer.status_code, answer.headers["Content-Language"]) == (status, "pl")
    assert settings.LANGUAGE_COOKIE_NAME not in answer.cookies


def test_no_one_chooses_for_an_account_by_a_link(client, ada):
    ada.language = "ja"
    ada.save()
    client.force_login(ada)

    assert read(client, "/?lang=ru") == "ja"
    assert settings.LANGUAGE_COOKIE_NAME not in client.cookies


def test_a_choice_is_not_taken_back_by_the_address_that_one_goes_back_to(client):
    read(client, "/?lang=ru&seats=7")

    chosen = client.post("/account/language/", {"language": "it", "next": "/?lang=ru&seats=7"})

    assert chosen.headers["Location"] == "/?seats=7"
    assert read(client, chosen.headers["Location"]) == "it"


@pytest.mark.parametrize(
    ("address", "bare"),
    [
        ("/?lang=ru", "/"),
        ("/rules/?a=1&lang=ru&b=%D1%8F", "/rules/?a=1&b=%D1%8F"),
        ("/?slang=1", "/?slang=1"),
        ("/", "/"),
    ],
)
def test_an_address_loses_its_language_and_nothing_else(address, bare):
    assert in_no_language(address) == bare


@pytest.mark.parametrize("path", PUBLIC)
def test_a_public_page_names_itself_in_every_language_once(client, path):
    page = client.get(path, {"lang": "ja"}).content.decode()
    alternates = links(page, "alternate")

    assert set(alternates) == {*LANGUAGES, "x-default"}
    assert alternates["x-default"] == SITE + path
    assert {code: alternates[code] for code in LANGUAGES} == {
        code: f"{SITE}{path}?lang={code}" for code in LANGUAGES
    }
    assert links(page, "canonical") == {"": f"{SITE}{path}?lang=ja"}
    assert "noindex" not in page


@pytest.mark.parametrize("path", PUBLIC)
def test_what_hreflang_promises_is_there(client, path):
    for code, address in links(client.get(path).content.decode(), "alternate").items():
        if code != "x-default":
            assert read(Client(), address.removeprefix(SITE)) == code


def test_a_search_of_the_lobby_is_no_page_of_its_own(client):
    page = client.get("/?seats=7").content.decode()

    assert links(page, "canonical") == {"": f"{SITE}/"}


def test_the_public_address_counts_whatever_host_was_called(client, settings):
    settings.SITE_ORIGIN = "https://play.example"

    assert links(client.get("/").content.decode(), "canonical") == {"": "https://play.example/"}


@pytest.mark.parametrize("path", ["/account/password/reset/", "/nowhere/", "/tables/abcdefgh/"])
def test_all_other_pages_ask_not_to_be_found(client, path):
    page = client.get(path).content.decode()

    assert '<meta name="robots" content="noindex">' in page
    assert not links(page, "alternate")


def test_the_sitemap_lists_every_public_page_in_every_language(client):
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    root = ElementTree.fromstring(client.get("/sitemap.xml").content)
    places = {where.text for where in root.iter(f"{space}loc")}

    assert {f"{SITE}{path}" for path in PUBLIC} <= places
    assert {f"{SITE}{path}?lang={code}" for path in PUBLIC for code in LANGUAGES} <= places
    for url in root.iter(f"{space}url"):
        named = {link.get("hreflang") for link in url.iter("{http://www.w3.org/1999/xhtml}link")}
        assert named == {*LANGUAGES, "x-default"}
    for place in places:
        answer = client.get(place.removeprefix(SITE))
        assert answer.status_code == 200
        assert b"noindex" not in answer.content


def test_mails_may_be_in_another_language_than_the_site(ada):
    switches = dict.fromkeys(SWITCHES, False)
    change_preferences(user=ada, language="ja", mail_language="", switches=switches)
    assert language_of(ada) == "ja"

    change_preferences(user=ada, language="ja", mail_language="ru", switches=switches)
    assert language_of(User.objects.get()) == "ru"
