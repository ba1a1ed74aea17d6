"""The account's pages: in the site's design and languages, and working without scripts."""

import re

import pytest
from django.conf import settings as django_settings
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import confirms
from tests.builders.person import forms_of
from tests.second_factor import with_second_factor

pytestmark = pytest.mark.django_db

LANGUAGES = [code for code, _ in django_settings.LANGUAGES]
OWN = [
    *("", "name/", "e-mail/", "password/", "sessions/", "export/", "close/"),
    *("second-factor/", "second-factor/app/", "second-factor/keys/", "second-factor/keys/new/"),
]
OPEN = ["sign-in/", "register/", "password/reset/", "password/reset/done/", "inactive/"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_page_is_of_the_site_s_hand(ada, at_home, language):
    confirms(at_home)
    User.objects.update(language=language)
    visitor = Client(HTTP_ACCEPT_LANGUAGE=language)
    for browser, paths in ((at_home, OWN), (visitor, OPEN)):
        for path in paths:
            answer = browser.get(f"/account/{path}")
            page = answer.content.decode()
            assert answer.status_code == 200, path
            assert page.startswith("<!doctype html>") and 'class="masthead"' in page, path
            assert f'<html lang="{language}"' in page, path
            assert page.count("<h1>") == 1, path
            assert " style=" not in page and "javascript:" not in page, path
            assert answer.headers["Cache-Control"].find("no-store") >= 0, path


def test_every_field_of_every_page_has_a_label(ada, at_home):
    confirms(at_home)
    for path in OWN:
        page = at_home.get(f"/account/{path}").content.decode()
        fields = re.findall(r"<(?:input|select|textarea)\b[^>]*>", page)
        for field in fields:
            if 'type="hidden"' in field:
                continue
            name = re.search(r'id="([^"]+)"', field)[1]
            assert f'for="{name}"' in page, (path, field)


def test_the_account_leads_to_all_that_belongs_to_it(ada, at_home):
    page = at_home.get("/account/").content.decode()

    for path in OWN[1:8]:
        assert f'href="/account/{path}"' in page, path


@pytest.mark.parametrize("page", ["name", "preferences", "notifications", "turns"])
def test_the_pages_of_the_account_lead_back_to_it(ada, at_home, page):
    main = at_home.get(f"/account/{page}/").content.decode().split("<main")[1]

    assert '<a href="/account/">Back to my account</a>' in main


def test_every_page_has_its_form_where_a_browser_without_scripts_finds_it(ada, at_home):
    confirms(at_home)
    for path in ("name/", "e-mail/", "password/", "sessions/", "export/", "close/"):
        actions = [
            form.action for form in forms_of(at_home.get(f"/account/{path}").content.decode())
        ]
        assert f"/account/{path}" in actions, path


def test_what_was_typed_comes_back_with_what_was_wrong(ada, at_home):
    confirms(at_home)
    answer = at_home.post("/account/e-mail/", {"email": "not an address", "action_add": ""})

    page = answer.content.decode()
    assert "errorlist" in page and "not an address" in page


def test_an_office_reads_on_its_page_that_a_factor_is_missing(ada, at_home):
    sentence = "Your role needs two-factor authentication"
    assert sentence not in at_home.get("/account/").content.decode()
    User.objects.update(is_staff=True)
    assert sentence in at_home.get("/account/").content.decode()
    with_second_factor(ada)
    assert sentence not in at_home.get("/account/").content.decode()


@pytest.mark.parametrize(
    "path",
    [
        *(*OWN, "e-mail/code/", "confirm/", "password/reset/code/", "password/reset/new/"),
        *("sign-in/second-factor/", "second-factor/codes/new/", "confirm/second-factor/"),
    ],
)
@pytest.mark.parametrize("value", ["\0", "x" * 20_000, "😀", "'\"<>"])
def test_nonsense_breaks_no_page(ada, at_home, path, value):
    confirms(at_home)
    fields = ("username", "email", "code", "password", "oldpassword", "password1", "password2")
    data = dict.fromkeys((*fields, "session", "name", "credential", "next", "action"), value)

    answer = at_home.post(f"/account/{path}", data | {"action_add": ""})

    assert answer.status_code < 500
