"""Requests that no browser sends, and names that only look new."""

import pytest
from django.test import Client

from accounts.auth.adapter import AccountAdapter
from accounts.models import User

PASSWORD = "correct horse battery"
ELSEWHERE = ["//[", "http://[x", "http://localhost/x", "//localhost/", "https://evil.example/"]


@pytest.mark.parametrize("path", ["/account/sign-in/", "/account/register/", "/account/sign-out/"])
@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_next_never_leads_away_and_never_breaks_the_page(db, client, path, elsewhere):
    assert client.get(path, {"next": elsewhere}).status_code in (200, 302)


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_signing_in_stays_on_this_host_whatever_next_says(db, client, elsewhere):
    User.objects.create_user("Ada", password=PASSWORD)

    answer = client.post(
        "/account/sign-in/", {"login": "Ada", "password": PASSWORD, "next": elsewhere}
    )

    assert answer.status_code == 302
    assert answer.url == "/"


@pytest.mark.parametrize("charset", ["hex", "rot13", "idna", "undefined", "base64", "no-such"])
def test_a_body_in_an_odd_charset_is_read_as_the_utf_8_that_our_forms_are(db, client, charset):
    for path in ("/account/sign-in/", "/account/language/", "/quick/"):
        answer = client.generic(
            "POST",
            path,
            b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n',
            content_type=f"multipart/form-data; boundary=x; charset={charset}",
        )
        assert answer.status_code in (200, 302, 303)


@pytest.mark.parametrize("key", ['"\\000abcdefghij"', "x", "A" * 32, "a" * 5000])
def test_a_cookie_that_is_no_session_is_no_session(db, client, key):
    assert client.get("/", headers={"cookie": f"sessionid={key}"}).status_code == 200


def test_two_who_register_one_name_at_once_both_get_an_answer(db, monkeypatch):
    filled_in = AccountAdapter.__mro__[1].save_user

    def taken_meanwhile(self, request, user, form, commit=True):
        User.objects.create_user("Racer")
        return filled_in(self, request, user, form, commit)

    monkeypatch.setattr(AccountAdapter.__mro__[1], "save_user", taken_meanwhile)

    answer = Client().post("/account/register/", {"username": "Racer", "password1": PASSWORD})

    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
    assert not User.objects.get(username="Racer").has_usable_password()


@pytest.mark.parametrize(
    "name",
    [
        "Ada\u3164",
        "\u3164\u3164\u3164",
        "Ada\ufe0f",
        "Ada\u034f",
        "Ada\u180b",
        "Ada" + "\u0301" * 18,
    ],
)
def test_a_copy_of_a_name_that_only_looks_the_same_is_refused(db, client, name):
    client.post("/account/register/", {"username": name, "password1": PASSWORD})

    assert not User.objects.exists()


def test_the_admins_have_no_door_of_their_own(db, client):
    # The site's own sign-in page limits the tries.
    for answer in (
        client.get("/admin/login/"),
        client.post("/admin/login/", {"username": "Ada", "password": "wrong"}),
    ):
        assert answer.status_code == 302
        assert answer.url.startswith("/account/sign-in/")


def test_a_page_that_is_not_there_is_not_kept_either(db, client):
    assert "no-store" in client.get("/tables/nowhere/")["Cache-Control"]
