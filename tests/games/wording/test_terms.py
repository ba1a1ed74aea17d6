"""Terms in sentences: links for those who read on a page, plain words elsewhere."""

import re

import pytest
from django.utils import translation

from games import wording
from games.rulebook import book_of, book_url
from games.rules.actions import ProposeVeto
from games.rules.editions import EDITIONS
from games.rules.events import Tracker
from games.rules.hints import Hint
from games.rules.reasons import Reason
from games.wording.terms import ANCHORS

NAMES = ("Ada", "Bo", "Cy")
BOOK = book_url("en")


def test_a_term_in_the_log_leads_to_its_rule() -> None:
    said = wording.event_sentence(Tracker(1), 0, NAMES, html=True, book=BOOK)
    assert f'<a class="to-rule" href="{BOOK}#tracker">election tracker</a>' in said


def test_a_link_to_house_rules_is_escaped() -> None:
    book = book_url("en", [("veto_zone", 4), ("hitler_zone", 2)])
    said = wording.action_sentence(ProposeVeto(1), NAMES, html=True, book=book)
    assert "&amp;hitler_zone=2#veto" in said


@pytest.mark.parametrize("html", [False, True])
def test_without_a_book_the_term_is_plain(html) -> None:
    assert wording.event_sentence(Tracker(1), 0, NAMES, html=html) == (
        "The election tracker advances to 1."
    )


@pytest.mark.parametrize("language", ["en", "ru", "pl", "ja", "it"])
def test_no_tag_of_a_term_is_left_in_a_hint(language) -> None:
    with translation.override(language):
        hints = [wording.hint(hint, BOOK) for hint in Hint]
    for said in hints:
        assert re.sub(r'<a class="to-rule" href="[^"<>]+">|</a>', "", said).count("<") == 0
        assert said.count('<a class="to-rule"') == said.count("</a>")


def test_why_a_seat_is_barred_explains_term_limits() -> None:
    limited = EDITIONS["en"].limited
    assert f"{BOOK}#limits" in wording.barred(Reason.TERM_LIMITED, limited, BOOK)


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_term_has_its_place_in_the_book(edition) -> None:
    book = book_of(edition, EDITIONS[edition])
    places = {chapter.anchor for chapter in book.chapters}
    places |= {block.key for chapter in book.chapters for block in chapter.blocks}
    # The small Russian edition has two powers only, so its log never names the others.
    others = {"investigation", "special-election"} if edition == "ru-5-6" else set()
    assert set(ANCHORS) - places == others
