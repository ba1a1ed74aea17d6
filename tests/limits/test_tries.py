"""Signing in and registering too often: those who try wait, and the name's owner does not."""

import pytest
from django.test import Client
from django.utils import translation
from django.utils.html import escape

from accounts.models import User
from accounts.throttling.limits import too_many_requests_sentence, when_to_try_again
from tests.builders.person import forms_of

PASSWORD = "a long way to Tipperary"
TOO_MUCH = 429
STRANGER, OWNER = "203.0.113.7", "198.51.100.4"

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("Ada", password=PASSWORD)


def sign_in(name="Ada", password="wrong", address=STRANGER, language="en"):
    return Client(REMOTE_ADDR=address).post(
        "/account/sign-in/",
        {"login": name, "password": password},
        headers={"Accept-Language": language},
    )


def register(name, address=STRANGER, language="en", **more):
    return Client(REMOTE_ADDR=address).post(
        "/account/register/",
        {"username": name, "password1": PASSWORD, **more},
        headers={"Accept-Language": language},
    )


def test_wrong_passwords_slow_the_guesser_down_and_not_the_owner_of_the_name(ada, other):
    answers = [sign_in() for _ in range(9)]

    assert [answer.status_code for answer in answers] == [200] * 5 + [TOO_MUCH] * 4
    assert sign_in(password=PASSWORD).status_code == TOO_MUCH
    assert sign_in(password=PASSWORD, address=OWNER).status_code == 302
    assert other.goes_on()


@pytest.mark.parametrize("language", ["en", "pl"])
def test_the_form_comes_back_with_the_name_and_why(ada, language):
    for _ in range(6):
        answer = sign_in(language=language)

    assert answer.status_code == TOO_MUCH
    wait = int(answer.headers["Retry-After"])
    assert 0 < wait <= 300
    html = answer.content.decode()
    assert f'<html lang="{language}"' in html
    assert 'value="Ada"' in html
    with translation.override(language):
        assert escape(too_many_requests_sentence(wait)) in html


def test_a_name_in_other_letters_is_the_same_name_to_a_guesser(ada):
    answers = [sign_in(name) for name in ("Ada", "ADA", "ada", "Ａｄａ", "aDa", "adA")]

    assert answers[-1].status_code == TOO_MUCH


def test_many_names_from_one_address_are_one_guesser(ada):
    answers = [sign_in(f"Nobody {n}") for n in range(21)]

    assert answers[19].status_code == 200
    assert answers[20].status_code == TOO_MUCH
    assert sign_in(password=PASSWORD, address=OWNER).status_code == 302


def test_right_passwords_do_not_count_as_wrong_ones(ada):
    answers = [sign_in(password=PASSWORD, address=OWNER) for _ in range(12)]

    assert {answer.status_code for answer in answers} == {302}


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_flood_of_sign_ups_ends_with_a_page_that_keeps_what_was_typed(other, language):
    for number in range(20):
        assert register(f"Flora {number}").status_code == 302
    answer = register("Flora", language=language, email="flora@example.com", next="/tables/new/")

    assert answer.status_code == TOO_MUCH
    wait = int(answer.headers["Retry-After"])
    assert 60 < wait <= 600
    html = answer.content.decode()
    with translation.override(language):
        assert escape(when_to_try_again(wait)) in html
    assert not User.objects.filter(username="Flora").exists()
    (again,) = [form for form in forms_of(html) if form.action == "/account/register/"]
    again.fields.pop("csrfmiddlewaretoken")
    # The form asks for the password again; the page does not contain it.
    assert again.fields == {
        "username": "Flora",
        "email": "flora@example.com",
        "next": "/tables/new/",
        "password1": "",
    }
    assert PASSWORD not in html
    assert register("Somebody else", address=OWNER).status_code == 302
    assert other.goes_on()


def test_a_flood_of_sign_ins_is_stopped_before_passwords_are_checked(ada, other, monkeypatch):
    checked = []
    monkeypatch.setattr(User, "check_password", lambda self, raw: checked.append(raw))

    answers = [sign_in(f"Name {n % 7}") for n in range(60)]

    assert answers[-1].status_code == TOO_MUCH
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 60
    assert len(checked) <= 20
    assert sign_in(address=OWNER).status_code == 200
    assert other.goes_on()


def test_without_an_address_everyone_who_comes_so_is_one(ada):
    answers = [sign_in(address="") for _ in range(6)]

    assert [answer.status_code for answer in answers] == [200] * 5 + [TOO_MUCH]
