"""E-mail addresses: confirmation by a code where there is mail, and resetting a lost password.

Only the person who reads an address's mail learns whether the address has an account.
"""

import re
import time
from unittest import mock

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.middleware import csrf
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services.names import HELD_FOR
from accounts.services.sessions import delete_unconfirmed_accounts
from tests.accounts.conftest import PASSWORD, a_user, code_in, confirms, signed_in
from tests.builders.redis_server import rested

pytestmark = pytest.mark.django_db

NEW_PASSWORD = "it is a long way to go"


def register(client: Client, name: str, email: str, **headers: str):
    data = {"username": name, "email": email, "password1": PASSWORD}
    return client.post("/account/register/", data, **headers)


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_with_mail_an_address_has_to_be_given(client, with_mail):
    page = register(client, "Ada", "").content.decode()

    assert "errorlist" in page
    assert not User.objects.exists()


def test_an_account_is_entered_with_the_code_that_came(client, with_mail):
    answer = register(client, "Ada", "ada@example.com")

    assert answer.headers["Location"] == "/account/e-mail/code/"
    assert not is_signed_in(client)
    (sent,) = mail.outbox
    assert sent.to == ["ada@example.com"]
    client.post("/account/e-mail/code/", {"code": code_in(sent)})
    assert is_signed_in(client)
    assert User.objects.get().emailaddress_set.get().verified


def test_without_the_code_no_one_comes_in_by_the_password_either(client, with_mail, settings):
    settings.ACCOUNT_RATE_LIMITS = False
    register(client, "Ada", "ada@example.com")
    other = Client()

    answer = other.post("/account/sign-in/", {"login": "Ada", "password": PASSWORD})

    assert answer.headers["Location"] == "/account/e-mail/code/"
    assert not is_signed_in(other)
    other.post("/account/e-mail/code/", {"code": code_in(mail.outbox[-1])})
    assert is_signed_in(other)


def test_a_code_has_three_tries(client, with_mail):
    register(client, "Ada", "ada@example.com")
    code = code_in(mail.outbox[0])
    for _ in range(3):
        client.post("/account/e-mail/code/", {"code": "AAAA-AAAA"})

    client.post("/account/e-mail/code/", {"code": code})

    assert not is_signed_in(client)


def test_an_account_from_before_there_was_mail_opens_as_ever(with_mail):
    a_user("Ada")

    assert is_signed_in(signed_in("Ada"))


@pytest.mark.parametrize("login", ["Ada", "ada", "ada@example.com", "ADA@Example.com"])
def test_one_signs_in_by_name_or_by_address(ada, login):
    assert is_signed_in(signed_in(login))


def test_no_code_and_no_token_is_ever_in_an_address(client, with_mail):
    seen = []
    register(client, "Ada", "ada@example.com")
    seen.append(mail.outbox[-1].body)
    Client().post("/account/password/reset/", {"email": "ada@example.com"})
    seen.append(mail.outbox[-1].body)

    for body in seen:
        code = code_in(mail.outbox[seen.index(body)])
        assert not [link for link in re.findall(r"https?://\S+", body) if code in link]


# A lost password ----------------------------------------------------------------------------------


def reset(client: Client, email: str):
    return client.post("/account/password/reset/", {"email": email})


def test_a_lost_password_is_replaced_by_a_code_and_all_sessions_end(ada, with_mail):
    old, client = signed_in("Ada"), Client()

    reset(client, "ada@example.com")
    client.post("/account/password/reset/code/", {"code": code_in(mail.outbox[-1])})
    form = client.get("/account/password/reset/new/").content.decode()
    assert 'value="Ada" autocomplete="username" hidden' in form
    data = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    done = client.post("/account/password/reset/new/", data)

    assert done.headers["Location"] == "/account/password/reset/done/"
    ada.refresh_from_db()
    assert ada.check_password(NEW_PASSWORD)
    assert old.get("/account/").status_code == 302
    assert "was changed" in mail.outbox[-1].subject


def test_a_new_password_opens_nothing_that_asks_for_a_second_factor(ada, with_mail):
    from tests.second_factor import with_second_factor

    with_second_factor(ada)
    client = Client()
    reset(client, "ada@example.com")
    client.post("/account/password/reset/code/", {"code": code_in(mail.outbox[-1])})
    data = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    client.post("/account/password/reset/new/", data)

    answer = client.post("/account/sign-in/", {"login": "Ada", "password": NEW_PASSWORD})

    assert answer.headers["Location"] == "/account/sign-in/second-factor/"
    assert not is_signed_in(client)


def test_no_one_guesses_the_code_of_a_lost_password(ada, with_mail):
    client = Client()
    reset(client, "ada@example.com")
    code = code_in(mail.outbox[-1])
    for _ in range(3):
        client.post("/account/password/reset/code/", {"code": "AAAA-AAAA"})

    client.post("/account/password/reset/code/", {"code": code})

    assert client.get("/account/password/reset/new/").status_code == 302


# Changing the address -----------------------------------------------------------------------------


def test_another_address_takes_the_place_of_the_old_once_its_code_is_typed(ada, at_home, with_mail):
    confirms(at_home)

    at_home.post("/account/e-mail/", {"email": "new@example.com", "action_add": ""})
    assert ada.emailaddress_set.get().email == "ada@example.com"
    at_home.post("/account/e-mail/code/", {"code": code_in(mail.outbox[-1])})

    ada.refresh_from_db()
    assert ada.emailaddress_set.get().email == ada.email == "new@example.com"
    assert mail.outbox[-1].to == ["ada@example.com"]
    assert "new@example.com" in mail.outbox[-1].body


def test_another_address_asks_for_the_password_first(ada, at_home, with_mail):
    answer = at_home.post("/account/e-mail/", {"email": "new@example.com", "action_add": ""})

    assert answer.headers["Location"].startswith("/account/confirm/")
    assert mail.outbox == []


def test_someone_else_s_address_cannot_be_had_and_nothing_says_that_it_is_theirs(
    ada, at_home, with_mail
):
    a_user("Boris", "boris@example.com")
    confirms(at_home)
    answers = []
    for email in ("boris@example.com", "free@example.com"):
        answer = at_home.post("/account/e-mail/", {"email": email, "action_add": ""})
        answers.append((answer.status_code, answer.headers["Location"]))
    assert answers[0] == answers[1]


# Known and unknown addresses get the same answers -------------------------------------------------


@pytest.fixture
def hashed(monkeypatch) -> list[str]:
    """Return a list that records each hashed password. Hashing takes most of an answer's time."""
    times: list[str] = []
    real = MD5PasswordHasher.encode

    def encode(self, password, salt):
        times.append(password)
        return real(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", encode)
    return times


@pytest.fixture
def _unmasked(monkeypatch) -> None:
    # Freeze the clock, so that no second passes between the two answers.
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)
    # Django masks the CSRF token anew for each page; the token itself belongs to the browser.
    monkeypatch.setattr(csrf, "_mask_cipher_secret", lambda secret: secret)
    monkeypatch.setattr(csrf, "_get_new_csrf_string", lambda: "a" * 32)


def seen(answer, email: str) -> tuple[object, ...]:
    headers = {name: value for name, value in answer.items() if name != "X-Request-ID"}
    passing = r"((?:sessionid|device)=)[\w-]+|expires=[^;]*|Max-Age=\d+"
    cookies = re.sub(passing, r"\1", answer.cookies.output())
    body = answer.content.replace(email.encode(), b"EMAIL")
    return answer.status_code, sorted(headers.items()), cookies, body


def compared(what, hashed: list[str]) -> list[tuple[object, ...]]:
    """Return what a browser sees of `what(browser, email)`, for a known and an unknown address."""
    results = []
    for email in ("ada@example.com", "nix@example.com"):
        client, pages, start = Client(), [], len(hashed)
        for answer in what(client, email):
            pages.append(seen(answer, email))
        results.append((pages, len(hashed) - start, "_auth_user_id" in client.session))
    return results


@pytest.mark.usefixtures("_unmasked")
class TestNothingTellsWhetherAnAddressIsSomebodys:
    def test_at_registration(self, ada, with_mail, hashed):
        def what(client, email):
            name = "Kim" if email.startswith("ada") else "Tim"
            yield register(client, name, email)
            yield client.get("/account/e-mail/code/")
            yield client.post("/account/e-mail/code/", {"code": "AAAA-AAAA"})
            yield client.post("/account/e-mail/code/", {"code": ""})
            yield client.post("/account/e-mail/code/", {"code": "AAAA-AAAA"})

        known, unknown = compared(what, hashed)

        assert known == unknown
        assert [sent.to for sent in mail.outbox] == [["ada@example.com"], ["nix@example.com"]]
        assert "already" in mail.outbox[0].subject

    def test_by_the_name_that_one_registered_with(self, ada, with_mail, client):
        register(Client(), "Kim", "ada@example.com")
        register(Client(), "Tim", "nix@example.com")

        for name in ("Kim", "Tim"):
            page = register(Client(), name, f"{name}@example.org").content.decode()
            assert "That name is taken" in page, name

    def test_at_sign_in(self, ada, hashed):
        def what(client, email):
            yield client.post("/account/sign-in/", {"login": email, "password": "wrong"})

        known, unknown = compared(what, hashed)

        assert known == unknown
        assert known[1] == 1

    def test_at_sign_in_by_name(self, ada, hashed):
        pages = []
        for name in ("Ada", "Nix"):
            start = len(hashed)
            answer = Client().post("/account/sign-in/", {"login": name, "password": "wrong"})
            pages.append((seen(answer, name), len(hashed) - start))
        assert pages[0] == pages[1]

    @pytest.mark.parametrize("mail_is", ["configured", "printed", "nowhere"])
    def test_for_a_lost_password(self, ada, settings, mail_is, hashed):
        settings.MAIL_IS_CONFIGURED = mail_is == "configured"
        settings.MAIL_ARRIVES = mail_is != "nowhere"

        def what(client, email):
            yield reset(client, email)
            yield client.get("/account/password/reset/code/")
            yield client.post("/account/password/reset/code/", {"code": "AAAA-AAAA"})
            yield client.post("/account/password/reset/code/", {"code": "AAAA-AAAA"})
            yield client.post("/account/password/reset/code/", {"code": "AAAA-AAAA"})
            yield client.get("/account/password/reset/new/")

        known, unknown = compared(what, hashed)

        assert known == unknown
        assert len(mail.outbox) == (0 if mail_is == "nowhere" else 2)

    def test_without_mail_at_registration(self, ada, hashed):
        def what(client, email):
            yield register(client, "Kim" if email.startswith("ada") else "Tim", email)

        known, unknown = compared(what, hashed)

        assert known == unknown


def test_names_and_addresses_that_no_one_confirmed_are_free_after_a_day(with_mail, ada):
    register(Client(), "Kim", "kim@example.com")
    now = timezone.now()

    assert delete_unconfirmed_accounts(now=now + HELD_FOR / 2) == 0
    assert delete_unconfirmed_accounts(now=now + HELD_FOR * 1.1) == 1
    assert list(User.objects.all()) == [ada]


def test_who_has_played_is_never_taken_for_unconfirmed(ada):
    boris = a_user("Boris", "boris@example.com")
    boris.emailaddress_set.update(verified=False)
    signed_in("Boris")

    assert delete_unconfirmed_accounts(now=timezone.now() + HELD_FOR * 2) == 0


def test_a_page_waits_for_no_mail_server(client, with_mail):
    from accounts.tasks import deliver_mail

    with mock.patch.object(deliver_mail, "apply_async") as queued:
        register(client, "Ada", "ada@example.com")

    assert mail.outbox == []
    (call,) = queued.call_args_list
    # What a worker logs about the task contains neither the address nor the code.
    assert "ada" not in call.kwargs["argsrepr"]


def test_a_mail_is_sent_without_a_worker_where_the_broker_is_away(client, with_mail, monkeypatch):
    from kombu.exceptions import OperationalError

    from accounts.tasks import deliver_mail

    rested(monkeypatch)
    with mock.patch.object(deliver_mail, "apply_async", side_effect=OperationalError):
        register(client, "Ada", "ada@example.com")

    assert code_in(mail.outbox[0])
