"""Whatever is posted: a sentence and the right status, never a crash, and nothing changes."""

import json

import pytest
from django.conf import settings as django_settings
from django.test import Client
from django.utils import translation
from django.utils.html import escape
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games import wording
from games.models import Table
from games.refusals import Refusal
from games.rules.legality import Reason
from games.rules.state import Phase
from games.services import tables
from tests.games.person import CSRF_TOKEN, Person
from tests.games.stories import (
    NAMES,
    fresh,
    gather,
    is_over,
    person,
    play_until,
    run_table,
    seed_for,
    state_of,
)

LANGUAGES = [code for code, _ in django_settings.LANGUAGES]
STALE, REFUSED = 409, 422


def standing(table: Table) -> tuple[object, ...]:
    """All that a refused request must leave as it was."""
    now = fresh(table)
    game = getattr(now, "game", None)
    seats = list(now.seats.values_list("number", "name", "times_late", "is_away"))
    return now.stage, now.version, now.host_id, seats, game and game.length


def sentence_in(language: str, reason: Refusal | Reason) -> str:
    with translation.override(language):
        if isinstance(reason, Refusal):
            return str(reason.label)
        return wording.refusal(reason)


def move(table: Table, choice: str, **changes: str) -> dict[str, str]:
    return {"decision": state_of(table).decision, "key": "k", "choice": choice} | changes


def assert_refused(
    someone: Person, button: str, data: dict | None, reason: Refusal | Reason
) -> None:
    """Plain and by htmx: the same status, the sentence in the reader's language, no change."""
    before = standing(someone.table)
    for htmx in (False, True):
        answer = someone.post(f"{someone.url}{button}/", data, htmx=htmx)
        sentence = sentence_in(someone.language, reason)
        assert answer.status_code == (STALE if reason == Refusal.STALE else REFUSED)
        assert sentence
        assert escape(sentence) in answer.content.decode()
        assert ("<html" in answer.content.decode()) is not htmx
        assert "no-store" in answer.headers["Cache-Control"]
    assert standing(someone.table) == before


# Moves --------------------------------------------------------------------------------------------


def test_a_move_out_of_turn(table, seated):
    assert_refused(seated[1], "act", move(table, "nominate:2"), Reason.NOT_YOUR_TURN)


@pytest.mark.parametrize(
    "choice",
    ["vote:ja", "discard:liberal", "enact:fascist", "propose_veto", "answer_veto:true", "peek"]
    + [f"{power}:2" for power in ("investigate", "call_special_election", "execute")],
)
def test_a_move_of_another_phase(table, seated, choice):
    assert_refused(seated[0], "act", move(table, choice), Reason.WRONG_PHASE)


def test_a_move_for_a_decision_that_has_passed(table, seated):
    old = move(table, "nominate:2")
    seated[0].press("nominate:2")

    assert_refused(seated[0], "act", old | {"choice": "nominate:1"}, Refusal.STALE)
    assert_refused(seated[0], "act", old | {"decision": "no such"}, Refusal.STALE)


def test_a_move_of_the_dead(table, seated, dead):
    assert_refused(dead, "act", move(table, "nominate:0"), Reason.DEAD)


def test_a_nominee_who_is_not_eligible(table, seated):
    assert_refused(seated[0], "act", move(table, "nominate:0"), Reason.YOURSELF)
    state = play_until(
        table,
        lambda state: (
            state.phase is Phase.NOMINATION and bool(set(state.limited) - {state.candidate})
        ),
    )
    (limited,) = set(state.limited) - {state.candidate}
    assert_refused(
        seated[state.candidate], "act", move(table, f"nominate:{limited}"), Reason.TERM_LIMITED
    )


def test_a_dead_nominee(table, seated, dead):
    state = play_until(table, lambda state: state.phase is Phase.NOMINATION)
    gone = dead.table.seats.get(user=dead.user).number

    assert_refused(
        seated[state.candidate], "act", move(table, f"nominate:{gone}"), Reason.TARGET_DEAD
    )


def test_a_policy_that_is_not_in_the_hand(db):
    table = run_table(seed=seed_for(5, "LLLFH", 0, top="FFF"))
    play_until(table, lambda state: state.phase is Phase.PRESIDENT_DISCARDS)

    ada = Person(table.host, table)
    assert ada.choices() == ["discard:fascist"] * 3
    assert_refused(ada, "act", move(table, "discard:liberal"), Reason.NOT_IN_HAND)


def test_a_veto_too_early_and_a_second_veto(table, seated):
    state = play_until(table, lambda state: state.phase is Phase.CHANCELLOR_ENACTS)
    assert_refused(seated[state.chancellor], "act", move(table, "propose_veto"), Reason.VETO_LOCKED)

    state = play_until(
        table, lambda state: state.fascist == 5 and state.phase is Phase.CHANCELLOR_ENACTS
    )
    chancellor, president = seated[state.chancellor], seated[state.president]
    assert chancellor.press("propose_veto", htmx=True).status_code == 200
    assert president.press("answer_veto:false").status_code == 303
    assert "propose_veto" not in chancellor.choices()
    again = move(table, "propose_veto", key="another")
    assert_refused(chancellor, "act", again, Reason.VETO_REFUSED)


def test_a_move_after_the_end(table, seated):
    play_until(table, is_over)

    assert_refused(seated[0], "act", move(table, "vote:ja"), Refusal.GAME_OVER)
    assert_refused(seated[0], "back", None, Refusal.GAME_OVER)


def test_a_move_at_a_table_that_has_not_started_or_was_closed(db):
    table = gather()
    ada = Person(table.host, table)
    data = {"decision": "1-nomination", "key": "k", "choice": "nominate:2"}
    assert_refused(ada, "act", data, Refusal.NOT_STARTED)
    assert_refused(ada, "back", None, Refusal.NOT_STARTED)

    tables.close_table(table=table, user=table.host)
    for button in ("join", "leave", "fill", "start", "close"):
        assert_refused(ada, button, None, Refusal.NOT_OPEN)
    assert ada.page()


def test_moves_of_people_who_do_not_sit_there(table, spectator, neighbour):
    for outsider in (spectator, neighbour):
        assert_refused(outsider, "act", move(table, "nominate:2"), Refusal.NOT_SEATED)
        assert_refused(outsider, "back", None, Refusal.NOT_SEATED)


CHOICES_OF_NO_PAGE = [
    *(":", "nominate", "nominate:", "nominate:99", "nominate:5", "nominate:-1", "nominate:²"),
    *("nominate:٣", "nominate:1e0", "nominate:1.0", "nominate:+1", "nominate:1:1", "Nominate:2"),
    *("nominate:_1", "nominate:true", "vote", "vote:", "vote:JA", "vote:maybe", "answer_veto:1"),
    *("answer_veto:yes", "discard:hitler", "enact:", "concede", "__class__", "seat"),
]


@pytest.mark.parametrize(
    "choice",
    [
        *CHOICES_OF_NO_PAGE,
        *("", " ", "\0", "nominate: 1", "nominate:2\0", "peek:1\0", "💥" * 40),
        *("nominate:" + "9" * length for length in (30, 5000)),
    ],
)
def test_choices_that_no_page_offers(table, seated, choice):
    assert_refused(seated[0], "act", move(table, choice), Refusal.UNCLEAR)


@pytest.mark.parametrize("missing", ["decision", "key", "choice"])
@pytest.mark.parametrize("value", [None, "", "\0", "x" * 5000])
def test_fields_that_are_missing_or_mangled(table, seated, missing, value):
    data = move(table, "nominate:2")
    del data[missing]
    if value is not None:
        data[missing] = value

    assert_refused(seated[0], "act", data, Refusal.UNCLEAR)


def test_the_seat_is_never_read_from_the_form(table, seated):
    forged = move(table, "nominate:2") | {"seat": "0", "user": str(seated[0].user.pk)}

    assert_refused(seated[1], "act", forged, Reason.NOT_YOUR_TURN)


# Buttons ------------------------------------------------------------------------------------------


def test_a_full_table_and_a_table_that_has_started(table):
    full = gather([f"{name}2" for name in NAMES[:5]])
    zoe = person("Zoe")
    assert_refused(Person(zoe, full), "join", None, Refusal.FULL)
    assert_refused(Person(full.host, full), "join", None, Refusal.ALREADY_SEATED)
    assert_refused(Person(full.host, full), "fill", None, Refusal.FULL)
    assert_refused(Person(zoe, table), "join", None, Refusal.NOT_OPEN)
    assert_refused(Person(table.host, table), "leave", None, Refusal.NOT_OPEN)
    assert_refused(Person(table.host, table), "start", None, Refusal.NOT_OPEN)
    assert_refused(Person(table.host, table), "again", None, Refusal.NOT_OVER)


def test_a_guest_at_the_host_s_buttons(db):
    table = gather()
    for guest in (person("Boris"), person("Zoe")):
        for button in ("fill", "start", "close"):
            assert_refused(Person(guest, table), button, None, Refusal.NOT_HOST)
    assert_refused(Person(person("Zoe"), table), "leave", None, Refusal.NOT_SEATED)


def test_too_few_to_begin(db):
    table = tables.open_table(
        host=person("Ada"), edition="en", seats_wanted=5, pace="normal", is_private=False
    )

    assert_refused(Person(table.host, table), "start", None, Refusal.TOO_FEW)


def test_playing_again_where_one_did_not_play(table, spectator):
    play_until(table, is_over)

    assert_refused(spectator, "again", None, Refusal.NOT_SEATED)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_a_sentence(table, seated, language):
    seated[0].language = language
    assert_refused(seated[0], "act", move(table, "nominate:2", decision="x"), Refusal.STALE)
    assert_refused(seated[0], "act", move(table, "nominate:0"), Reason.YOURSELF)
    assert_refused(seated[0], "act", move(table, "nominate:x"), Refusal.UNCLEAR)


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


def test_somebody_else_s_invitation_opens_nothing(db):
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
    plain = stranger.post(f"{stranger.url}{button}/", move(table, "nominate:2"))
    htmx = stranger.post(f"{stranger.url}{button}/", move(table, "nominate:2"), htmx=True)

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
            move(table, "nominate:2") | {"csrfmiddlewaretoken": token},
            HTTP_ACCEPT_LANGUAGE=language,
            **headers,
        )
        assert answer.status_code == 403
        assert f'<html lang="{language}"' in answer.content.decode()
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
        REFUSED,
    ),
    "json": (json.dumps({"choice": "nominate:2"}).encode(), "application/json", REFUSED),
    "much json": (b"[" * 2**20, "application/json", REFUSED),
    "not utf-8": (b"choice=%ff%fe&key=\xff", "application/x-www-form-urlencoded", REFUSED),
    "utf-7": (b"choice=+AAA-", "application/x-www-form-urlencoded; charset=utf-7", 400),
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
    assert answer.content.decode().count("data-panel=") == 6


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
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    data=st.dictionaries(
        st.one_of(st.sampled_from(["decision", "key", "choice"]), st.text(max_size=5)), mangled
    ),
    htmx=st.booleans(),
    seat=st.sampled_from([1, 2, 3, 4]),
    button=st.sampled_from(["act", "join", "start", "back"]),
)
def test_whatever_somebody_out_of_turn_posts_changes_nothing(
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


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    body=st.binary(max_size=300),
    kind=st.sampled_from(
        ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", "/"]
    ),
)
def test_whatever_bytes_are_posted_change_nothing(table, seated, body, kind):
    before = standing(table)

    answer = seated[0].client.generic(
        "POST", f"{table.get_absolute_url()}act/", body, kind, HTTP_X_CSRFTOKEN=CSRF_TOKEN
    )

    assert answer.status_code in (400, STALE, REFUSED)
    assert standing(table) == before


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    data=st.dictionaries(
        st.sampled_from(
            [
                *("edition", "seats_wanted", "pace", "is_private", "contribution"),
                *("option_players", "option_limited", "option_spoken_formula", "option_silence"),
            ]
        ),
        st.one_of(
            st.text(max_size=20),
            st.sampled_from(["en", "ru-5-6", "7", "untimed", "null", "[5, 6]", "{}", "NaN"]),
        ),
    )
)
def test_whatever_is_posted_for_a_new_table_is_a_table_or_a_form(db, data):
    ada = Person(person("Ada"), Table())

    answer = ada.post("/tables/new/", data)

    if answer.status_code == 303:
        assert Client().get(Table.objects.last().get_absolute_url()).status_code in (200, 404)
    else:
        assert answer.status_code == REFUSED
