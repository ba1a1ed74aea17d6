"""How compiled catalogs are typeset."""

from datetime import datetime

import pytest
from django.utils import translation
from django.utils.formats import date_format

from config.i18n.typesetting import typeset

HARD = "\u00a0"
JOINED = "\u2060"


@pytest.mark.parametrize(
    ("language", "written", "set_so"),
    [
        ("pl", "Coś się u nas zepsuło", f"Coś się u{HARD}nas zepsuło"),
        ("pl", "a w tej", f"a{HARD}w{HARD}tej"),
        ("pl", "i %(name)s", f"i{HARD}%(name)s"),
        ("pl", "(w toku)", f"(w{HARD}toku)"),
        ("ru", "Ada — в президенты", f"Ada{HARD}— в{HARD}президенты"),
        ("ru_5-6", "Я и ты", f"Я{HARD}и{HARD}ты"),
        # Tags, placeholders and longer words stay as they are.
        ("pl", '<a href="x">praw i</a>', '<a href="x">praw i</a>'),
        ("pl", "&a {a} %(a)s mama ma", "&a {a} %(a)s mama ma"),
        ("it", "è a casa — e", "è a casa — e"),
    ],
)
def test_short_words_and_dashes_stay_where_they_belong(language, written, set_so) -> None:
    assert typeset(written, language) == set_so


@pytest.mark.parametrize(
    ("language", "written", "set_so"),
    [
        ("en", "Russian for 5–6", f"Russian for 5{JOINED}–{JOINED}6"),
        ("pl", "%(least)s–%(most)s graczy", f"%(least)s{JOINED}–{JOINED}%(most)s graczy"),
        ("ru", "{least}–{most}", f"{{least}}{JOINED}–{JOINED}{{most}}"),
        ("ja", "（5〜6人用）", f"（5{JOINED}〜{JOINED}6{JOINED}人用）"),
        ("ja", "12枚、{count}つ", f"12{JOINED}枚、{{count}}{JOINED}つ"),
        # A dash between words and a year stay as they are.
        ("pl", "tak – nie", "tak – nie"),
        ("it", "a 5 – no", "a 5 – no"),
    ],
)
def test_a_range_and_a_number_with_its_counter_are_one_word(language, written, set_so) -> None:
    assert typeset(written, language) == set_so


def test_the_compiled_catalogs_are_set_so() -> None:
    with translation.override("pl"):
        assert f"u{HARD}nas" in translation.gettext("Something broke on our side")
    with translation.override("ru"):
        text = translation.gettext(
            "The vote: %(candidate)s for President, %(nominee)s for Chancellor"
        )
        assert " —" not in text and f"{HARD}—" in text


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "8 November 2026, 19:05"),
        ("ru", f"8{HARD}ноября{HARD}2026{HARD}года, 19:05"),
        ("pl", "8 listopada 2026, 19:05"),
        ("ja", "2026年11月8日 19:05"),
        ("it", "8 novembre 2026, 19:05"),
    ],
)
def test_moments_are_written_as_the_language_writes_them(language, told) -> None:
    with translation.override(language):
        assert date_format(datetime(2026, 11, 8, 19, 5), "DATETIME_FORMAT") == told


@pytest.mark.parametrize("language", ["en", "ru", "pl", "ja", "it"])
def test_a_date_may_end_a_sentence_without_a_second_full_stop(language) -> None:
    with translation.override(language):
        assert not date_format(datetime(2026, 11, 8), "DATE_FORMAT").endswith(".")
