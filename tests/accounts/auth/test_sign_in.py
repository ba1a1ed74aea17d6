"""Registering, signing in and signing out with only a name and a password."""

import pytest
from django.conf import settings as django_settings
from django.core import mail
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import translation
from django.utils.html import escape

from accounts.models import User, validate_name
from accounts.services.trials import create_trial

LANGUAGES = [code for code, _ in django_settings.LANGUAGES]
PASSWORD = "a long way to Tipperary"

pytestmark = pytest.mark.django_db


def register(client: Client, name: str, password: str = PASSWORD, **more: str):
    return client.post("/account/register/", {"username": name, "password1": password, **more})


def sign_in(client: Client, name: str, password: str = PASSWORD, **more: str):
    return client.post("/account/sign-in/", {"login": name, "password": password, **more})


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_a_name_and_a_password_are_enough(client):
    answer = register(client, "Ada")

    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
    user = User.objects.get()
    assert (user.username, user.email) == ("Ada", "")
    assert user.check_password(PASSWORD)
    assert is_signed_in(client)
    assert mail.outbox == []


def test_an_address_may_be_left_out_or_given(client):
    assert register(client, "Ada", email="ada@example.com").status_code == 302
    assert register(Client(), "Boris", email="not an address").status_code == 200
    # Another account has this address: any answer will do, as long as the server does not crash.
    assert register(Client(), "Chika", email="ada@example.com").status_code in (200, 302)


@pytest.mark.parametrize(
    "name",
    ["Ada", "Борис", "ちか子", "Łukasz Żak", "x_y", "a.b-c", "007", "ÀÉÎ", "a" * 20, "李小龍"],
)
def test_names_of_any_script(client, name):
    assert register(client, name).status_code == 302
    assert User.objects.get().username == name


@pytest.mark.parametrize(
    "name",
    [
        *("", "ab", "a" * 21, "a  b", "-ab", "ab-", "a@b", "<b>x</b>", "a\0b", "a\nb"),
        *("a\u202eb", "a\u200bb", "a/b", "!!!", "💥💥💥", "a--b", "..."),
    ],
)
def test_names_that_a_table_could_not_show(client, name):
    answer = register(client, name)

    assert answer.status_code == 200
    assert not User.objects.exists()
    assert "errorlist" in answer.content.decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_wrong_with_a_name_is_said_in_the_visitor_s_language(client, language):
    answer = client.post(
        "/account/register/",
        {"username": "a@b!", "password1": PASSWORD},
        HTTP_ACCEPT_LANGUAGE=language,
    )

    with translation.override(language), pytest.raises(ValidationError) as refused:
        validate_name("a@b!")
    (sentence,) = refused.value.messages
    assert escape(sentence) in answer.content.decode()


@pytest.mark.parametrize("name", ["Ada", "ada", "ADA", " Ada "])
def test_a_name_is_taken_whatever_its_case(client, name):
    register(Client(), "Ada")

    answer = register(client, name)

    assert answer.status_code == 200
    assert User.objects.count() == 1
    assert not is_signed_in(client)


@pytest.mark.parametrize("name", ["Ada", "ADA", "Adа", "Аda"])
def test_the_same_letters_written_with_other_code_points(client, name):
    register(Client(), "Ａｄａ")

    register(client, name)

    assert User.objects.get().username == "Ada"


@pytest.mark.parametrize("password", ["", "short", "12345678901", "password", "Adalbert"])
def test_passwords_that_are_guessed_at_once(client, password):
    answer = register(client, "Adalbert", password)

    assert answer.status_code == 200
    assert not User.objects.exists()


def test_signing_in_and_out(client):
    register(Client(), "Ada")

    assert sign_in(client, "Ada").headers["Location"] == "/"
    assert is_signed_in(client)
    assert client.get("/account/sign-out/").status_code == 200
    assert is_signed_in(client)
    assert client.post("/account/sign-out/").headers["Location"] == "/"
    assert not is_signed_in(client)


def test_signing_in_cares_about_the_password_and_not_about_the_case_of_the_name(client):
    register(Client(), "Ada")

    assert sign_in(client, "Ada", PASSWORD.upper()).status_code == 200
    assert not is_signed_in(client)
    sign_in(client, "ADA")
    assert is_signed_in(client)


@pytest.mark.parametrize("name", ["Ada", "Nobody"])
def test_a_wrong_password_and_an_unknown_name_look_alike(client, name):
    register(Client(), "Ada")

    page = sign_in(client, name, "wrong").content.decode()

    assert (
        escape("That name, e-mail address or password isn’t right. Check them and try again.")
        in page
    )


def test_whoever_was_banned_does_not_sign_in(client):
    register(Client(), "Ada")
    User.objects.update(is_active=False)

    answer = client.post("/account/sign-in/", {"login": "Ada", "password": PASSWORD}, follow=True)

    assert answer.status_code == 200
    assert 'class="masthead"' in answer.content.decode()
    assert not is_signed_in(client)


@pytest.mark.parametrize("path", ["/account/sign-in/", "/account/register/"])
def test_one_goes_on_to_where_one_was(client, path):
    if "sign-in" in path:
        register(Client(), "Ada")
    data = {"login": "Ada", "username": "Ada", "password": PASSWORD, "password1": PASSWORD}

    answer = client.post(path, data | {"next": "/tables/new/"})

    assert answer.headers["Location"] == "/tables/new/"


@pytest.mark.parametrize(
    "evil", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example"]
)
def test_one_never_goes_on_to_another_site(client, evil):
    register(Client(), "Ada")

    assert sign_in(client, "Ada", next=evil).headers["Location"] == "/"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_password_guessed_too_often_is_slowed_down_on_a_page_of_ours(client, language):
    register(Client(), "Ada")
    for number in range(50):
        answer = client.post(
            "/account/sign-in/",
            {"login": "Ada", "password": f"wrong {number}"},
            HTTP_ACCEPT_LANGUAGE=language,
        )
        if answer.status_code == 429:
            break

    assert answer.status_code == 429
    assert f'<html lang="{language}"' in answer.content.decode()
    sign_in(client, "Ada")
    assert not is_signed_in(client)


@pytest.mark.parametrize(
    "name", ["a  b", "-ab", "ab-", "a@b", "a\u0000b", "\u0301ab", "ab\u202e", "a--b"]
)
def test_a_name_of_anything_else_is_refused(client, name):
    register(client, name)

    assert not User.objects.exists()


def test_a_second_tab_s_sign_in_goes_on_and_says_why():
    register(Client(), "Ada")
    client = Client(enforce_csrf_checks=True)
    old = client.get("/account/sign-in/").context["csrf_token"]
    fields = {"login": "Ada", "password": PASSWORD, "csrfmiddlewaretoken": old}
    assert client.post("/account/sign-in/", fields).headers["Location"] == "/"

    answer = client.post("/account/sign-in/", fields | {"next": "/rules/"}, follow=True)

    assert answer.redirect_chain[-1][0] == "/rules/"
    assert "You’re already signed in." in answer.content.decode()
    for path, sent in (("/account/language/", fields), ("/account/sign-in/", {})):
        stranger = Client(enforce_csrf_checks=True)
        stranger.cookies["sessionid"] = "a" * 32
        who = client if "language" in path else stranger
        assert who.post(path, sent).status_code == 403, path


def test_a_guest_whose_sign_in_form_has_expired_is_told():
    client = Client(enforce_csrf_checks=True)
    client.force_login(create_trial())
    old = Client().get("/account/sign-in/").context["csrf_token"]
    fields = {"login": "Ada", "password": PASSWORD, "csrfmiddlewaretoken": old}

    answer = client.post("/account/sign-in/", fields, follow=True)

    assert answer.status_code == 403
    assert "This form has expired" in answer.content.decode()


def test_a_second_tab_never_goes_on_to_another_site():
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.create_user("Ada"))

    answer = client.post("/account/sign-in/", {"next": "https://evil.example/"}, follow=True)

    assert answer.redirect_chain[-1][0] == "/"
    foreign = client.post("/account/sign-in/", headers={"origin": "https://evil.example"})
    assert foreign.status_code == 403


# Password managers --------------------------------------------------------------------------------


def test_a_form_that_sets_a_password_names_its_account():
    client = Client()
    register(client, "Ada")
    login = client.post("/account/sign-in/", {})
    assert login.status_code == 302
    for path, usable in (("password/", True), ("password/new/", False), ("confirm/", True)):
        user = User.objects.get()
        user.set_password(PASSWORD) if usable else user.set_unusable_password()
        user.save()
        client.force_login(user)
        page = client.get(f"/account/{path}").content.decode()
        assert '<input type="text" value="Ada" autocomplete="username" hidden' in page, path


def test_a_password_manager_finds_the_page_that_changes_a_password(client):
    answer = client.get("/.well-known/change-password")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/account/password/")
