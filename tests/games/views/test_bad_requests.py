"""Addresses that do not exist, and bodies that are not forms of this site."""

import json

from django.conf import settings as django_settings
from django.db import OperationalError

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

LANGUAGES = [code for code, _ in django_settings.LANGUAGES]
STALE, REFUSED = 409, 422


# Addresses ----------------------------------------------------------------------------------------

BUTTONS = ("act", "join", "leave", "close", "fill", "start", "back", "again")


def test_tables_that_do_not_exist(table, seated):
    for code in ["zzzzzzzz", "-", "0", "x" * 3000, "admin", "%00", "..%2f", "é", "a b", "'--"]:
        for path in ("", "panels/", "record/", "invitation/x/"):
            assert seated[0].get(f"/tables/{code}/{path}").status_code == 404
        for button in BUTTONS:
            for htmx in (False, True):
                answer = seated[0].post(f"/tables/{code}/{button}/", htmx=htmx)
                assert answer.status_code == 404


def test_a_wrong_invitation_opens_nothing(db):
    for token in ["x", "%00", "é", "x" * 3000, "%F0%9F%92%A5", "None"]:
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


def test_strangers_are_sent_to_sign_in_and_back_to_the_table(table, stranger):
    for button in BUTTONS:
        before = standing(table)
        plain = stranger.post(f"{stranger.url}{button}/", form_of(table, "nominate:2"))
        htmx = stranger.post(f"{stranger.url}{button}/", form_of(table, "nominate:2"), htmx=True)

        sign_in = f"/account/sign-in/?next={stranger.url.replace('/', '%2F')}"
        assert (plain.status_code, plain.headers["Location"]) == (303, sign_in)
        assert (htmx.status_code, htmx.headers["HX-Redirect"]) == (200, sign_in)
        assert standing(table) == before


def test_buttons_cannot_be_pressed_by_a_link(table, seated):
    for button in BUTTONS:
        before = standing(table)

        assert seated[0].get(f"{table.get_absolute_url()}{button}/").status_code == 405
        assert standing(table) == before


def test_pages_cannot_be_posted_to(table, seated):
    for path in ["", "panels/", "record/"]:
        assert seated[0].post(f"{table.get_absolute_url()}{path}").status_code == 405


# Bodies -------------------------------------------------------------------------------------------


def test_without_its_token_a_form_is_refused_on_a_page_of_ours(table, seated):
    for language in LANGUAGES:
        for htmx in [False, True]:
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


def test_what_breaks_on_our_side_is_said_on_a_page_of_ours(table, seated, monkeypatch):
    for language in LANGUAGES:

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


def test_whoever_moves_while_the_disk_is_full_is_told_to_move_again(
    table, seated, monkeypatch, caplog
):
    def breaks(*args, **kwargs):
        raise OperationalError("database or disk is full")

    monkeypatch.setattr("games.services.play.act", breaks)
    seated[0].client.raise_request_exception = False
    before = standing(table)

    answer = seated[0].post(f"{table.get_absolute_url()}act/", form_of(table, "nominate:2"))

    assert answer.status_code == 503 and answer.headers["Retry-After"]
    assert standing(table) == before
    # Unlike for a lost connection, no one else logs it.
    assert [record for record in caplog.records if record.exc_info]


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


def test_bodies_that_are_no_form_of_ours(table, seated):
    for name in BODIES:
        for htmx in [False, True]:
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


def test_a_client_that_lists_nonsense_gets_every_panel(table, seated):
    for have in ["", "x", ":", "banner:", "banner:\0", "a:b " * 4000, "é:é", "💥", "banner:x:y"]:
        answer = seated[0].client.get(
            f"{table.get_absolute_url()}panels/", HTTP_X_PANELS=have.encode().decode("latin-1")
        )

        assert answer.status_code == 200
        assert answer.content.decode().count("data-panel=") == len(PANELS)


def test_a_browser_that_asks_for_no_language_of_ours(table, stranger):
    for language in ["x" * 5000, "\0", "*", "en;q=x", "zz", "ru-5-6", "de, ;;;"]:
        answer = stranger.get(table.get_absolute_url(), HTTP_ACCEPT_LANGUAGE=language)

        assert answer.status_code == 200
        assert any(f'<html lang="{code}"' in answer.content.decode() for code in LANGUAGES)
