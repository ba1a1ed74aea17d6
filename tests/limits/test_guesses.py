"""Guesses at one account's password from many addresses, and the account's owner meanwhile."""

import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core import mail
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.test import Client, RequestFactory

from accounts.auth.adapter import AccountAdapter
from accounts.models import User
from accounts.throttling import password_guesses
from accounts.throttling.password_guesses import FIRST_WAIT, LONGEST_WAIT, begin_guess
from tests.accounts.conftest import (
    _work_is_done_at_once,  # noqa: F401
    code_in,
    with_mail,  # noqa: F401
)
from tests.builders.redis_server import Server, running_server
from tests.nightly import by_day
from tests.second_factor import with_second_factor
from tests.write_lock import WatchedHasher

PASSWORD = "a long way to Tipperary"
OK, FOUND, TOO_MUCH = 200, 302, 429
FREE = 10

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(tmp_path, monkeypatch) -> Iterator[Server]:
    with running_server(tmp_path, monkeypatch) as server:
        yield server


@pytest.fixture
def ada() -> User:
    user = User.objects.create_user("Ada", "ada@example.com", PASSWORD)
    user.emailaddress_set.create(email=user.email, primary=True, verified=True)
    return user


@pytest.fixture
def hashed(monkeypatch) -> list[str]:
    """Return every password that reaches the hasher."""
    seen: list[str] = []
    encode = WatchedHasher.encode

    def encoding(self, password, salt):
        seen.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(WatchedHasher, "encode", encoding)
    return seen


@pytest.fixture
def pass_time(monkeypatch) -> Callable[[float], None]:
    """Return a function that moves the clock of the cache and of the locks."""
    now = [time.time()]
    monkeypatch.setattr(time, "time", lambda: now[0])

    def go_on(seconds: float) -> None:
        now[0] += seconds

    return go_on


def address(number: int) -> str:
    return f"203.0.{number // 250}.{number % 250 + 1}"


def guess(number: int, name: str = "Ada", password: str = "wrong"):
    """Guess from an address that has not been used before, in a new browser."""
    return sign_in(Client(REMOTE_ADDR=address(number)), name, password)


def a_request(number: int) -> HttpRequest:
    request = RequestFactory(REMOTE_ADDR=address(number)).post("/account/sign-in/")
    request.user = AnonymousUser()
    return request


def sign_in(client: Client, name: str = "Ada", password: str = PASSWORD):
    return client.post("/account/sign-in/", {"login": name, "password": password})


def owner(name: str = "Ada") -> Client:
    """Return a browser that has signed in before, and is signed out."""
    client = Client(REMOTE_ADDR="198.51.100.4")
    assert sign_in(client, name).status_code == FOUND
    assert client.post("/account/sign-out/").status_code == FOUND
    return client


def attack(name: str = "Ada") -> None:
    """Guess from several addresses until the next guess has to wait."""
    for number in range(FREE):
        assert guess(number, name).status_code == OK
    assert guess(FREE, name).status_code == TOO_MUCH


@pytest.mark.usefixtures("pass_time")
@pytest.mark.parametrize(
    "name", by_day(1, ["Ada", "Unknown", "ada@example.com", "who@example.com"])
)
def test_only_ten_guesses_from_a_thousand_addresses_reach_the_hasher(ada, hashed, name):
    answers = [guess(number, name).status_code for number in range(2 * FREE)]
    # The other guesses go without the pages around them.
    kind = "email" if "@" in name else "username"
    for number in range(2 * FREE, 1000):
        with pytest.raises(ValidationError):
            AccountAdapter().authenticate(a_request(number), **{kind: name, "password": "wrong"})

    assert answers == [OK] * FREE + [TOO_MUCH] * FREE
    assert len(hashed) == FREE


def test_each_further_guess_waits_twice_as_long_up_to_an_hour(ada, hashed, pass_time):
    attack()
    waits = []
    for number in range(FREE, FREE + 10):
        answer = guess(number)
        assert answer.status_code == TOO_MUCH
        waits.append(int(answer.headers["Retry-After"]))
        pass_time(waits[-1] - 1)
        assert guess(number).status_code == TOO_MUCH
        pass_time(2)
        assert guess(number).status_code == OK

    assert waits == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600, 3600]
    assert (waits[0], waits[-1]) == (FIRST_WAIT, LONGEST_WAIT)
    assert len(hashed) == FREE + 10


def test_refused_guesses_do_not_make_the_wait_longer(ada, pass_time):
    attack()
    for number in range(100, 150):
        assert guess(number).status_code == TOO_MUCH
    pass_time(FIRST_WAIT)

    assert guess(200).status_code == OK


def test_guesses_are_forgotten_after_half_a_day_without_one(ada, pass_time):
    attack()
    pass_time(12 * 60 * 60 + 1)

    attack()


def test_a_name_in_other_letters_has_the_same_count(ada):
    for number in range(FREE):
        assert guess(number, ("ADA", "ａｄａ", "ada", " Ada ")[number % 4]).status_code == OK

    assert guess(FREE).status_code == TOO_MUCH
    assert guess(FREE + 1, "Boris").status_code == OK


def test_a_name_s_count_does_not_reveal_its_e_mail_address(ada):
    attack("Ada")

    assert guess(50, "ada@example.com").status_code == OK


@pytest.mark.usefixtures("pass_time")
def test_the_refusal_is_the_same_whether_the_name_is_registered_or_not(ada):
    attack("Ada")
    attack("Unknown")
    pages = [
        (answer.status_code, answer.headers["Retry-After"], answer.content.decode())
        for answer in (guess(50, "Ada"), guess(50, "Unknown"), guess(50, "Ada", PASSWORD))
    ]
    # What differs in a browser: the typed name, and the form's token.
    own = re.compile(r'value="(?:Ada|Unknown)"|"[A-Za-z0-9]{64}"')
    plain = [(*rest, own.sub("", page)) for *rest, page in pages]

    assert plain[0] == plain[1] == plain[2]
    assert PASSWORD not in plain[2][-1]


def test_the_owner_at_a_known_browser_signs_in_at_once(ada):
    browser = owner()
    attack()

    assert sign_in(browser).status_code == FOUND
    # A right password there tells the attacker nothing.
    assert guess(100).status_code == TOO_MUCH


def test_a_known_browser_is_known_to_its_own_accounts_only(ada):
    User.objects.create_user("Boris", password=PASSWORD)
    browser = owner("Boris")
    attack()

    assert sign_in(browser).status_code == TOO_MUCH


def test_a_made_up_device_is_not_known(ada):
    owner()
    attack()
    client = Client()
    client.cookies["device"] = "a" * 22

    assert sign_in(client).status_code == TOO_MUCH


def test_a_known_browser_has_a_count_of_its_own(ada, pass_time):
    browser, other = owner(), owner()
    for number in range(FREE):
        browser.defaults["REMOTE_ADDR"] = address(number)
        assert sign_in(browser, password="wrong").status_code == OK
    browser.defaults["REMOTE_ADDR"] = address(100)

    assert sign_in(browser).status_code == TOO_MUCH
    assert sign_in(other).status_code == FOUND
    assert guess(101).status_code == OK
    pass_time(FIRST_WAIT)
    assert sign_in(browser).status_code == FOUND


def test_a_right_password_at_a_new_browser_is_no_guess(ada):
    for number in range(3 * FREE):
        assert guess(number, password=PASSWORD).status_code == FOUND

    attack()


@pytest.mark.usefixtures("with_mail")
def test_the_owner_at_a_new_browser_waits_or_resets_the_password_by_mail(ada, pass_time):
    attack()
    waits, resets = Client(REMOTE_ADDR="198.51.100.8"), Client(REMOTE_ADDR="198.51.100.9")
    assert sign_in(waits).status_code == sign_in(resets).status_code == TOO_MUCH

    resets.post("/account/password/reset/", {"email": "ada@example.com"})
    resets.post("/account/password/reset/code/", {"code": code_in(mail.outbox[-1])})
    new = f"{PASSWORD} and back"
    form = {"password1": new, "password2": new}
    done = resets.post("/account/password/reset/new/", form)
    assert done.headers["Location"] == "/account/password/reset/done/"

    # The attacker's lock still stands; this browser has shown that it is the owner's.
    assert guess(100).status_code == TOO_MUCH
    assert sign_in(resets, password=new).status_code == FOUND
    assert sign_in(waits, password=new).status_code == TOO_MUCH
    pass_time(FIRST_WAIT)
    assert sign_in(waits, password=new).status_code == FOUND


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/account/confirm/", {"password": "wrong"}),
        (
            "/account/password/",
            {"oldpassword": "wrong", "password1": f"{PASSWORD}!", "password2": f"{PASSWORD}!"},
        ),
    ],
)
def test_a_found_session_guesses_no_faster_and_does_not_slow_the_owner_s(
    ada, hashed, pass_time, path, form
):
    found, own = owner(), owner()
    sign_in(found)
    sign_in(own)
    hashed.clear()
    answers = []
    for number in range(3 * FREE):
        # Stay below allauth's own limits, which count by minute and by address.
        pass_time(20)
        found.defaults["REMOTE_ADDR"] = address(number)
        answers.append(found.post(path, form).status_code)

    assert answers[:FREE] == [OK] * FREE
    # Ten more minutes leave room for the guesses after one, two and four minutes.
    assert answers[FREE:].count(OK) == 2
    assert len(hashed) == FREE + 2
    assert own.post("/account/confirm/", {"password": PASSWORD}).status_code == FOUND
    attack()


def test_the_admin_sends_to_the_site_s_own_page_for_a_new_password(ada):
    User.objects.update(is_staff=True)
    browser = owner()
    sign_in(browser)
    with_second_factor(ada)
    answer = browser.post("/admin/password_change/", {"old_password": "wrong"})

    assert answer.headers["Location"] == "/account/password/"


def test_simultaneous_guesses_do_not_exceed_the_limit():
    assert let_through_at_once() == FREE


def test_simultaneous_guesses_at_many_processes_do_not_exceed_the_limit(request, monkeypatch):
    valkey = request.getfixturevalue("server")
    monkeypatch.setattr(password_guesses, "cache", valkey.cache())

    assert let_through_at_once() == FREE
    # A moment later, in another process.
    monkeypatch.setattr(password_guesses, "cache", valkey.cache())
    assert let_through_at_once() == 0


def let_through_at_once() -> int:
    together = Barrier(40)

    def let_through(number: int) -> bool:
        together.wait(10)
        try:
            begin_guess(a_request(number), "Ada")
        except ValidationError:
            return False
        return True

    with ThreadPoolExecutor(40) as pool:
        return sum(pool.map(let_through, range(40)))


def test_the_cache_does_not_tell_whose_password_was_tried(ada):
    guess(1)

    assert cache._cache and not any("ada" in key.lower() for key in cache._cache)


def test_the_limit_can_be_switched_off(ada, settings):
    settings.GUESSES = 0

    assert {guess(number).status_code for number in range(30)} == {OK}
