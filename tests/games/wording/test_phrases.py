"""The phrasebook: every phrase, for every number of seats, in every language."""

import re

from django.conf import settings
from django.utils import translation

from games import wording
from games.wording.phrases import GROUPS, PHRASES, PLACES

NAMES = {0: "Ada", 1: "<b>Bo</b>"}
EVERY = [(code, count) for code, said in PHRASES.items() for count in said.sentences]


def test_the_book_has_enough_to_play_a_game_by():
    assert len(PHRASES) >= 40
    assert {said.group for said in PHRASES.values()} == {*GROUPS, "bots"}


def test_a_phrase_names_the_seats_that_it_is_said_about():
    wrong = []
    for locale, _ in settings.LANGUAGES:
        with translation.override(locale):
            for code, count in EVERY:
                said = wording.phrase(code, range(count), NAMES)
                is_named = {seat: name in said for seat, name in NAMES.items()}
                if "{" in said or is_named != {seat: seat < count for seat in NAMES}:
                    wrong.append((locale, code, count, said))
    assert wrong == []


def test_names_are_escaped_and_kept_apart():
    wrong = []
    for code, count in EVERY:
        said = wording.phrase(code, range(count), NAMES, html=True)
        names = re.findall(r'<bdi class="name" data-seat="\d">', said)
        if len(names) != count or "<b>" in said:
            wrong.append((code, count, said))
    assert wrong == []


def test_a_phrase_is_said_about_some_numbers_of_seats_without_a_gap():
    for code, said in PHRASES.items():
        assert sorted(said.sentences) == list(range(said.least, said.most + 1)), code
        assert said.most <= len(PLACES)


def test_the_list_shows_where_seats_may_stand():
    assert wording.phrase_label("trust_more") == "I trust ① more than ②."
    assert wording.phrase_label("suspect") == "I suspect ___."
    assert wording.phrase_label("why") == "Why?"
    assert wording.phrase_label("good_luck") == "Good luck, and have fun!"


def test_every_phrase_of_players_is_in_the_list_once():
    groups = wording.phrase_groups("en", may_investigate=True)
    listed = [code for _, phrases in groups for code, *_ in phrases]
    assert sorted(listed) == sorted(code for code, said in PHRASES.items() if said.group in GROUPS)
