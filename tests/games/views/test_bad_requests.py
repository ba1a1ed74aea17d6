"""Addresses that do not exist, bodies that are not forms of this site, and random input."""

import json

import pytest
from django.conf import settings as django_settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.builders.person import Person
from tests.builders.sockets import PANELS
from tests.builders.tables import (
    NAMES,
    form_of,
    person,
    run_table,
    standing,
)
from tests.csrf_token import CSRF_TOKEN
from tests.examples import examples

LANGUAGES = [code for code, _ in django_settings.LANGUAGES]
STALE, REFUSED = 409, 422


# Addresses ----------------------------------------------------------------------------------------

BUTTONS = ("act", "join", "leave", "close", "fill", "start", "back", "again")


@pytest.mark.parametrize(
    "code", ["zzzzzzzz", "-", "0", "x" * 3000, "admin", "%00", "..%2f", "é", "a b", "'--"]
)
def test_tables_that_do_not_exist(table, seated, code):
    for path in ("", "panels/", "record/", "invitation/x/"):
        assert seated[0].get(f"/tables/{code}/{path}").status_code == 404
    for button in BUTTONS:
        for htmx in (False, True):
            answer = seated[0].post(f"/tables/{code}/{button}/", htmx=htmx)
            assert answer.status_code == 404


@pytest.mark.parametrize("token", ["x", "%00", "é", "x" * 3000, "%F0%9F%92%A5", "None"])
def test_a_wrong_invitation_opens_nothing(db, token):
    table = run_table(is_private=True)
    sofia = Person(person("Sofia"), table)

    assert sofia.get(f"{table.get_absolute_url()}invitation/{token}/").status_code == 404
    assert sofia.get(table.get_absolute_url()).status_code == 404


def test_someone_else_s_invitation_opens_nothing(db):
    mine = run_table(is_private=True)
    other = run_table([f"{name}2" for name in NAMES[:5]], is_private=True)
    sofia = Person(person("Sofia"), other)

    wrong = f"{other.get_absolute_url()}invitation/{mine.invitation}/"
    assert sofia.get(wrong).status_code == 404
    assert sofia.get(f"{mine.get_absolute_url()}invitation/{mine.invitation}/").status_code == 302
    assert sofia.get(mine.get_absolute_url()).status_code == 200
    assert sofia.get(other.get_absolute_url()).status_code == 404
    for button in BUTTONS:
        assert sofia.post(f"{other.get_absolute_url()}{button}/").status_code == 404


@pytest.mark.parametrize("button", BUTTONS)
def test_strangers_are_sent_to_sign_in_and_back_to_the_table(table, stranger, button):
    before = standing(table)
    plain = stranger.post(f"{stranger.url}{button}/", form_of(table, "nominate:2"))
    htmx = stranger.post(f"{stranger.url}{button}/", form_of(table, "nominate:2"), htmx=True)

    sign_in = f"/account/sign-in/?next={stranger.url.replace('/', '%2F')}"
    assert (plain.status_code, plain.headers["Location"]) == (303, sign_in)
    assert (htmx.status_code, htmx.headers["HX-Redirect"]) == (200, sign_in)
    assert standing(table) == before


@pytest.mark.parametrize("button", BUTTONS)
def test_buttons_cannot_be_pressed_by_a_link(table, seated, button):
    before = standing(table)

    assert seated[0].get(f"{table.get_absolute_url()}{button}/").status_code == 405
    assert standing(table) == before


@pytest.mark.parametrize("path", ["", "panels/", "record/"])
def test_pages_cannot_be_posted_to(table, seated, path):
    assert seated[0].post(f"{table.get_absolute_url()}{path}").status_code == 405


# Bodies -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("htmx", [False, True])
def test_without_its_token_a_form_is_refused_on_a_page_of_ours(table, seated, language, htmx):
    before = standing(table)
    headers = {"HTTP_HX_REQUEST": "true"} if htmx else {}
    for token in ("", "b" * 32, "é"):
        answer = seated[0].client.post(
            f"{table.get_absolute_url()}act/",
            form_of(table, "nominate:2") | {"csrfmiddlewaretoken": token},
            HTTP_ACCEPT_LANGUAGE=language,
            **headers,
        )
        assert answer.status_code == 403
        assert f'<html lang="{language}"' in answer.content.decode()
    assert standing(table) == before


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_breaks_on_our_side_is_said_on_a_page_of_ours(table, seated, monkeypatch, language):
    def breaks(*args, **kwargs):
        raise RuntimeError("broken")

    monkeypatch.setattr("games.services.play.act", breaks)
    seated[0].client.raise_request_exception = False
    seated[0].language = language
    before = standing(table)

    answer = seated[0].post(f"{table.get_absolute_url()}act/", form_of(table, "nominate:2"))

    assert answer.status_code == 500
    assert f'<html lang="{language}"' in answer.content.decode()
    assert "broken" not in answer.content.decode()
    assert standing(table) == before


BODIES = {
    "a megabyte": (b"choice=" + b"9" * 2**20, "application/x-www-form-urlencoded", 400),
    "many fields": (b"a=1&" * 5000, "application/x-www-form-urlencoded", 400),
    "no boundary": (b"--x\r\n", "multipart/form-data", 400),
    "cut short": (b"--x\r\nContent-Disposition: form", "multipart/form-data; boundary=x", REFUSED),
    "bad base64": (
        b'--x\r\nContent-Disposition: form-data; name="choice"\r\n'
        b"Content-Transfer-Encoding: base64\r\n\r\n!\r\n--x--\r\n",
        "multipart/form-data; boundary=x",
        REFUSED,
    ),
    "a file": (
        b'--x\r\nContent-Disposition: form-data; name="choice"; filename="a"\r\n\r\n'
        + b"9" * 2**20
        + b"\r\n--x--\r\n",
        "multipart/form-data; boundary=x",
        400,
    ),
    "json": (json.dumps({"choice": "nominate:2"}).encode(), "application/json", REFUSED),
    "much json": (b"[" * 2**20, "application/json", 400),
    "not utf-8": (b"choice=%ff%fe&key=\xff", "application/x-www-form-urlencoded", REFUSED),
    "utf-7": (b"choice=+AAA-", "application/x-www-form-urlencoded; charset=utf-7", REFUSED),
    "no such charset": (b"a=b", "application/x-www-form-urlencoded; charset=klingon", REFUSED),
    "no type": (b"choice=nominate:2", "", REFUSED),
    "nothing": (b"", "application/x-www-form-urlencoded", REFUSED),
}


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("htmx", [False, True])
def test_bodies_that_are_no_form_of_ours(table, seated, name, htmx):
    body, content_type, status = BODIES[name]
    before = standing(table)
    headers = {"HTTP_HX_REQUEST": "true"} if htmx else {}

    answer = seated[0].client.generic(
        "POST",
        f"{table.get_absolute_url()}act/",
        body,
        content_type,
        HTTP_X_CSRFTOKEN=CSRF_TOKEN,
        **headers,
    )

    assert answer.status_code == status
    assert answer.content
    assert standing(table) == before


@pytest.mark.parametrize(
    "have", ["", "x", ":", "banner:", "banner:\0", "a:b " * 4000, "é:é", "💥", "banner:x:y"]
)
def test_a_client_that_lists_nonsense_gets_every_panel(table, seated, have):
    answer = seated[0].client.get(
        f"{table.get_absolute_url()}panels/", HTTP_X_PANELS=have.encode().decode("latin-1")
    )

    assert answer.status_code == 200
    assert answer.content.decode().count("data-panel=") == len(PANELS)


@pytest.mark.parametrize("language", ["x" * 5000, "\0", "*", "en;q=x", "zz", "ru-5-6", "de, ;;;"])
def test_a_browser_that_asks_for_no_language_of_ours(table, stranger, language):
    answer = stranger.get(table.get_absolute_url(), HTTP_ACCEPT_LANGUAGE=language)

    assert answer.status_code == 200
    assert any(f'<html lang="{code}"' in answer.content.decode() for code in LANGUAGES)


mangled = st.one_of(
    st.sampled_from(["nominate:2", "vote:ja", "peek", "1-nomination", "1-election", "", "0", "-1"]),
    st.text(max_size=60),
    st.integers().map(lambda n: f"nominate:{n}"),
    st.tuples(st.sampled_from(["nominate", "vote", "enact"]), st.text(max_size=9)).map(":".join),
)


@settings(
    max_examples=examples(80),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    data=st.dictionaries(
        st.one_of(st.sampled_from(["decision", "key", "choice"]), st.text(max_size=5)), mangled
    ),
    htmx=st.booleans(),
    seat=st.sampled_from([1, 2, 3, 4]),
    button=st.sampled_from(["act", "join", "start", "back"]),
)
def test_whatever_someone_out_of_turn_posts_changes_nothing(
    table, seated, data, htmx, seat, button
):
    before = standing(table)

    answer = seated[seat].post(f"{table.get_absolute_url()}{button}/", data, htmx=htmx)

    if button == "back":
        assert answer.status_code in (200, 303)
    else:
        assert answer.status_code in (STALE, REFUSED)
        assert 'class="message error"' in answer.content.decode()
    assert standing(table) == before
