"""The list of a user's sessions, and ending them."""

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client

from accounts.services.sessions import delete_expired_sessions
from tests.accounts.conftest import PASSWORD, a_user, signed_in

pytestmark = pytest.mark.django_db

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18 Safari/604"
)


def is_in(browser: Client) -> bool:
    return browser.get("/account/").status_code == 200


def test_each_browser_is_listed_with_what_it_is(ada):
    here = signed_in("Ada", HTTP_USER_AGENT=FIREFOX)
    signed_in("Ada", HTTP_USER_AGENT=PHONE)
    signed_in("Ada", HTTP_USER_AGENT="<script>alert(1)</script>")

    page = here.get("/account/sessions/").content.decode()

    assert page.count("Firefox, Linux") >= 1 and "Safari, iPhone" in page
    assert "<script>alert" not in page
    assert page.count("this one") == 1


def test_one_is_ended_and_the_others_go_on(ada):
    here, phone, tablet = (signed_in("Ada") for _ in range(3))
    row = UserSession.objects.get(session_key=phone.session.session_key)

    here.post("/account/sessions/", {"session": row.pk})

    assert [is_in(browser) for browser in (here, phone, tablet)] == [True, False, True]


def test_all_others_are_ended(ada):
    here, phone, tablet = (signed_in("Ada") for _ in range(3))

    here.post("/account/sessions/", {"session": "others"})

    assert [is_in(browser) for browser in (here, phone, tablet)] == [True, False, False]


def test_everywhere_is_everywhere(ada):
    here, phone = signed_in("Ada"), signed_in("Ada")

    here.post("/account/sessions/", {"session": "all"})

    assert [is_in(browser) for browser in (here, phone)] == [False, False]


@pytest.mark.parametrize("session", ["", "x", "-1", "9" * 40, "0", "١", "\0"])
def test_nothing_else_is_ended(ada, session):
    a_user("Boris")
    here, other = signed_in("Ada"), signed_in("Boris")

    answer = here.post("/account/sessions/", {"session": session})

    assert answer.status_code == 302
    assert is_in(here) and is_in(other)


def test_no_one_ends_someone_else_s(ada):
    a_user("Boris")
    here, other = signed_in("Ada"), signed_in("Boris")
    row = UserSession.objects.get(session_key=other.session.session_key)

    here.post("/account/sessions/", {"session": row.pk})

    assert is_in(other)


def test_a_new_password_ends_all_others(ada):
    here, phone = signed_in("Ada"), signed_in("Ada")
    new = "it is a long way to go"

    here.post("/account/password/", {"oldpassword": PASSWORD, "password1": new, "password2": new})

    assert [is_in(browser) for browser in (here, phone)] == [True, False]


def test_a_session_from_before_is_listed_once_it_looks(ada):
    browser = Client()
    browser.force_login(ada)
    assert not UserSession.objects.exists()

    assert "this one" in browser.get("/account/sessions/").content.decode()


def test_what_has_run_out_is_forgotten(ada):
    from datetime import timedelta

    from django.contrib.sessions.models import Session
    from django.utils import timezone

    signed_in("Ada")
    lasting = signed_in("Ada")
    now = timezone.now()
    gone = Session.objects.exclude(session_key=lasting.session.session_key)
    gone.update(expire_date=now - timedelta(days=1))

    delete_expired_sessions(now=now)

    assert Session.objects.count() == UserSession.objects.count() == 1
