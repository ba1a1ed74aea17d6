"""Any invalid post gets a sentence and the right status; nothing crashes and nothing changes."""

from django.conf import settings as django_settings
from django.utils import translation
from django.utils.html import escape

from games import wording
from games.rules.reasons import Reason
from games.services import tables
from games.wording.refusals import Refusal
from tests.builders.person import Person
from tests.builders.tables import (
    NAMES,
    form_of,
    gather,
    is_over,
    person,
    play_until,
    standing,
)

LANGUAGES = [code for code, _ in django_settings.LANGUAGES]
STALE, REFUSED = 409, 422


def sentence_in(language: str, reason: Refusal | Reason) -> str:
    with translation.override(language):
        if isinstance(reason, Refusal):
            return str(reason.label)
        return wording.refusal(reason)


def assert_refused(
    someone: Person, button: str, data: dict | None, reason: Refusal | Reason
) -> None:
    """Assert that plain and htmx posts get the status and the translated sentence; no change."""
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
    assert_refused(seated[1], "act", form_of(table, "nominate:2"), Reason.NOT_YOUR_TURN)


def test_a_move_for_a_decision_that_has_passed(table, seated):
    old = form_of(table, "nominate:2")
    seated[0].press("nominate:2")

    assert_refused(seated[0], "act", old | {"choice": "nominate:1"}, Refusal.STALE)
    assert_refused(seated[0], "act", old | {"decision": "no such"}, Refusal.STALE)


def test_a_move_of_the_dead(table, seated, dead):
    assert_refused(dead, "act", form_of(table, "nominate:0"), Reason.DEAD)


def test_a_move_after_the_end(table, seated):
    play_until(table, is_over)

    assert_refused(seated[0], "act", form_of(table, "vote:ja"), Refusal.GAME_OVER)
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
        assert_refused(outsider, "act", form_of(table, "nominate:2"), Refusal.NOT_SEATED)
        assert_refused(outsider, "back", None, Refusal.NOT_SEATED)


CHOICES_OF_NO_PAGE = [
    *(":", "nominate", "nominate:", "nominate:99", "nominate:5", "nominate:-1", "nominate:²"),
    *("nominate:٣", "nominate:1e0", "nominate:1.0", "nominate:+1", "nominate:1:1", "Nominate:2"),
    *("nominate:_1", "nominate:true", "vote", "vote:", "vote:JA", "vote:maybe", "answer_veto:1"),
    *("answer_veto:yes", "discard:hitler", "enact:", "concede", "__class__", "seat"),
]


def test_choices_that_no_page_offers(table, seated):
    for choice in [
        *CHOICES_OF_NO_PAGE,
        *("", " ", "\0", "nominate: 1", "nominate:2\0", "peek:1\0", "💥" * 40),
        *("nominate:" + "9" * length for length in (30, 5000)),
    ]:
        assert_refused(seated[0], "act", form_of(table, choice), Refusal.UNCLEAR)


def test_fields_that_are_missing_or_mangled(table, seated):
    for missing in ["decision", "key", "choice"]:
        for value in [None, "", "\0", "x" * 5000]:
            data = form_of(table, "nominate:2")
            del data[missing]
            if value is not None:
                data[missing] = value

            assert_refused(seated[0], "act", data, Refusal.UNCLEAR)


def test_the_seat_is_never_read_from_the_form(table, seated):
    forged = form_of(table, "nominate:2") | {"seat": "0", "user": str(seated[0].user.pk)}

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


def test_every_language_has_a_sentence(table, seated):
    for language in LANGUAGES:
        seated[0].language = language
        assert_refused(seated[0], "act", form_of(table, "nominate:2", decision="x"), Refusal.STALE)
        assert_refused(seated[0], "act", form_of(table, "nominate:0"), Reason.YOURSELF)
        assert_refused(seated[0], "act", form_of(table, "nominate:x"), Refusal.UNCLEAR)
