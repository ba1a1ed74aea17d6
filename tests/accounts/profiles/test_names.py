"""Names: any script, no look-alikes, none that speaks for the site; and renaming an account."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone, translation
from django.utils.html import escape

from accounts.models import NameChange, User
from accounts.profiles.names import skeleton, validate_name
from accounts.services.names import change_name, clean_name
from tests.accounts.conftest import PASSWORD, a_user, signed_in

pytestmark = pytest.mark.django_db


def refusal(name: str) -> str:
    with pytest.raises(ValidationError) as refused:
        clean_name(name)
    return refused.value.code


def register(client: Client, name: str, **headers: str):
    data = {"username": name, "password1": PASSWORD}
    return client.post("/account/register/", data, **headers)


@pytest.mark.parametrize(
    "name",
    [
        "Łódź",
        "Иван",
        "さくら",
        "नमस्ते",
        "ยินดี",
        "شَمْس",
        "김철수",
        "Ada さくら",
        "ゆき",
        "太郎",
        "김철",
        "リョ",
        "007",
        "O'Neill".replace("'", "."),
    ],
)
def test_a_good_name_is_taken_as_it_is_written(client, name):
    assert register(client, name).status_code == 302
    assert User.objects.get().username == name


BAD = [
    ("ab\u202ecd", "unseen_in_name"),
    ("\u2066abc\u2069", "unseen_in_name"),
    ("Ad\u200ba", "unseen_in_name"),
    ("Ad\u00ada", "unseen_in_name"),
    ("Ada\ufe0f", "unseen_in_name"),
    ("ㅤㅤㅤ", "unseen_in_name"),
    ("Z\u0351\u0352\u0353\u0354\u0355algo", "marks_in_name"),
    ("Ad", "short_name"),
    ("नि", "short_name"),
    ("a" * 21, "long_name"),
    ("Adа", "mixed_name"),
    ("Ρaul", "mixed_name"),
    ("a@b.c", "invalid_name"),
    ("💥💥💥", "invalid_name"),
    ("admin", "reserved_name"),
    ("ADMIN 7", "reserved_name"),
    ("Ａｄｍｉｎ", "reserved_name"),
    ("adrnin", "reserved_name"),
    ("4dm1n", "reserved_name"),
    ("Site-Support", "reserved_name"),
    ("Moderatör", "reserved_name"),
    ("Модератор", "reserved_name"),
    ("Kanclerz", "reserved_name"),
    ("大統領", "reserved_name"),
    ("運営", "reserved_name"),
    ("雪", "short_name"),
    ("김", "short_name"),
    ("運営さん_管理者", "reserved_name"),
    ("Presidente", "reserved_name"),
    ("Guest 1", "reserved_name"),
    ("Гость 12", "reserved_name"),
    ("Ospite3", "reserved_name"),
]


def test_a_bad_name_is_refused_for_what_is_bad_about_it():
    for name, why in BAD:
        assert refusal(name) == why


def test_a_name_that_only_begins_like_a_reserved_one_is_good():
    for name in ["Modesto", "Hitlerina", "Liberata", "Adminka", "Bota"]:
        assert clean_name(name) == name


def test_why_is_said_in_the_visitor_s_language_and_the_name_comes_back(client):
    for language in ["en", "ru", "pl", "ja", "it"]:
        for name in ["ab\u202ecd", "Z\u0351\u0352\u0353\u0354\u0355algo", "Adа", "admin"]:
            page = register(client, name, HTTP_ACCEPT_LANGUAGE=language).content.decode()

            with translation.override(language), pytest.raises(ValidationError) as refused:
                validate_name(name)
            assert escape(refused.value.messages[0]) in page
            assert escape(name) in page


@pytest.mark.parametrize(
    ("taken", "copy"),
    [("Ivan", "lvan"), ("BOBA", "ВОВА"), ("Kam", "Karn"), ("paypal", "раураІ"), ("COOL", "C00L")],
)
def test_two_names_that_look_alike_are_one_name(taken, copy):
    a_user(taken)

    assert refusal(copy) == "username_looks_taken"


def test_the_marks_and_letters_that_a_reader_sees_make_another_name():
    a_user("Lodz")

    for other in ("Łódź", "Lodzia", "Иван"):
        assert clean_name(other) == other


def test_names_that_were_there_and_look_alike_stay_and_a_third_is_refused():
    first, second = a_user("Ivan"), a_user("Olga")
    User.objects.filter(pk=second.pk).update(
        username="lvan", name_key="lvan", skeleton=f"{skeleton('lvan')}\n{second.pk}"
    )
    second.refresh_from_db()

    second.language = "pl"
    second.save()

    second.refresh_from_db()
    assert (second.username, second.language) == ("lvan", "pl")
    first.delete()
    assert refusal("Ivan") == "username_looks_taken"


# Changing the name --------------------------------------------------------------------------------


def test_a_name_can_be_changed_once_in_ninety_days(ada, at_home):
    answer = at_home.post("/account/name/", {"username": "Ａda Lovelace"}, follow=True)
    assert "Ada Lovelace" in answer.content.decode()

    again = at_home.post("/account/name/", {"username": "Countess"})
    ada.refresh_from_db()
    assert (again.status_code, ada.username) == (422, "Ada Lovelace")
    assert "Countess" in again.content.decode()

    ada.name_changes.update(at=timezone.now() - timedelta(days=91))
    assert at_home.post("/account/name/", {"username": "Countess"}).status_code == 302
    ada.refresh_from_db()
    assert ada.username == "Countess"


@pytest.mark.parametrize("name", ["", "Ada", "Boris", "Admin", "a\0b", "x" * 5000])
def test_a_name_that_cannot_be_had_leaves_the_old_one(ada, at_home, name):
    a_user("Boris")

    assert at_home.post("/account/name/", {"username": name}).status_code == 422

    ada.refresh_from_db()
    assert ada.username == "Ada"
    assert not NameChange.objects.exists()


def test_the_admin_asks_the_same_of_a_name(ada):
    from tests.second_factor import with_second_factor

    root = with_second_factor(a_user("Rootless", is_staff=True, is_superuser=True))
    browser = Client()
    browser.force_login(root)
    for name in ("Adа", "lvan\u202e", "Moderator"):
        answer = browser.post(
            "/admin/accounts/user/add/",
            {
                "username": name,
                "usable_password": "true",
                "password1": PASSWORD,
                "password2": PASSWORD,
            },
        )
        assert answer.status_code == 200
        assert not User.objects.filter(username=name).exists()


def test_one_signs_in_with_the_new_name(ada):
    change_name(user=ada, name="Lovelace")

    assert signed_in("Lovelace").get("/account/").status_code == 200
