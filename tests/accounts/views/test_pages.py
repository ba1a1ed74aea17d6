"""The account's pages: in the site's design and languages, and working without scripts."""

import re

import pytest
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD, confirms
from tests.nightly import by_day
from tests.second_factor import with_second_factor

pytestmark = pytest.mark.django_db

OWN = [
    *("", "name/", "e-mail/", "password/", "sessions/", "export/", "close/"),
    *("second-factor/", "second-factor/app/", "second-factor/keys/", "second-factor/keys/new/"),
]


def test_every_field_of_every_page_has_a_label(ada, at_home):
    confirms(at_home)
    for path in OWN:
        page = at_home.get(f"/account/{path}").content.decode()
        fields = re.findall(r"<(?:input|select|textarea)\b[^>]*>", page)
        for field in fields:
            if re.search(r"\bhidden\b", field):
                continue
            name = re.search(r'id="([^"]+)"', field)[1]
            assert f'for="{name}"' in page, (path, field)


def test_the_account_leads_to_all_that_belongs_to_it(ada, at_home):
    page = at_home.get("/account/").content.decode()

    for path in OWN[1:8]:
        assert f'href="/account/{path}"' in page, path


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
@pytest.mark.parametrize("value", by_day(2, ["\0", "x" * 20_000, "😀", "'\"<>"]))
def test_nonsense_breaks_no_page(ada, at_home, path, value):
    confirms(at_home)
    fields = ("username", "email", "code", "password", "oldpassword", "password1", "password2")
    data = dict.fromkeys((*fields, "session", "name", "credential", "next", "action"), value)

    answer = at_home.post(f"/account/{path}", data | {"action_add": ""})

    assert answer.status_code < 500


def test_where_no_mail_is_sent_none_is_offered(ada, at_home, without_mail):
    pages = ("", "turns/", "preferences/", "name/", "sessions/", "export/", "close/")
    for path in pages:
        html = at_home.get(f"/account/{path}").content.decode()
        assert "e-mail" not in html.partition("<main")[2].lower(), path
    assert "mail" not in Client().get("/account/register/").content.decode().lower()

    assert at_home.post("/account/turns/", {"daily_bell": "on"}).status_code == 303
    assert at_home.post("/account/preferences/", {"language": "pl"}).status_code == 303
    new = {"username": "Boris", "password1": PASSWORD}
    assert Client().post("/account/register/", new).headers["Location"] == "/"


def test_where_mail_is_sent_it_is_offered(ada, at_home, with_mail, settings):
    settings.SITE_ORIGIN = "https://play.example"
    for path in ("", "turns/", "preferences/"):
        html = at_home.get(f"/account/{path}").content.decode()
        assert "e-mail" in html.partition("<main")[2].lower(), path
