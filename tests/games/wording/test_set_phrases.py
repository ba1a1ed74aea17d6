"""The log quotes the set words of an edition, and lets no officer speak who has none."""

from collections import Counter
from random import Random

import pytest
from django.utils import translation

from games import wording
from games.panels import LogRound
from games.rules.editions import EDITIONS, Formula, options_of
from games.templatetags.table import lines
from tests.builders.game_log import rounds_of
from tests.builders.tables import NAMES
from tests.secrecy.histories import random_history

# The kind of log line in which each formula is said.
LINES = {
    Formula.VETO_CHANCELLOR: "propose_veto",
    Formula.VETO_PRESIDENT: "veto",
    Formula.EXECUTION: "executed",
    Formula.INVESTIGATION: "investigated",
}
# The words of each document in its own language. Names are never declined.
OWN = {
    "ru": ["Я хочу наложить вето", "Я согласен с вето"],
    "ru-5-6": ["Накладываю вето"],
    "pl": [
        "Chcę zawetować ten program",
        "Wyrażam zgodę na weto",
        "Dokonuję egzekucji gracza {player}",
    ],
    "ja": [
        "拒否権を発動したい",
        "正当な権限をもって{player}さんを処刑します",
        "正当な権限をもって{player}さんを調査します",
    ],
    "it": [
        "Voglio opporre un veto a questo ordine del giorno",
        "Io giustizio formalmente {player}",
        "Interrogo formalmente {player}",
    ],
}


@pytest.mark.parametrize("edition", OWN)
def test_in_its_own_language_a_document_s_set_words_are_said_as_they_stand_in_it(edition):
    options = options_of(edition)
    with translation.override(edition):
        player = translation.pgettext("formula", "[player]")
        said = [wording.set_words(formula, options) for formula in options.spoken_formula]
    # Russian short words are kept beside the next one.
    said = [words.replace("\xa0", " ") for words in said]
    assert said == [words.format(player=player) for words in OWN[edition]]


def test_no_two_editions_say_a_formula_alike():
    for formula in Formula:
        said = {
            wording.set_words(formula, options): edition
            for edition, options in EDITIONS.items()
            if formula in options.spoken_formula
        }
        speaking = [name for name in EDITIONS if formula in EDITIONS[name].spoken_formula]
        assert len(said) == len(speaking), formula


def test_where_a_house_rule_wants_words_that_a_document_lacks_the_original_s_are_said():
    options = options_of("ru", {"spoken_formula": ["execution"]})
    said = wording.set_words(Formula.EXECUTION, options)
    assert said == wording.set_words(Formula.EXECUTION, options_of("en"))
    assert said in wording.prescribed(Formula.EXECUTION, options)


def test_what_an_officer_has_to_say_is_said_whenever_they_do_it_and_by_no_other():
    rng, met = Random("spoken"), Counter()
    for _ in range(120):
        history = random_history(rng)
        names, options = NAMES[: history.players], history.options
        said = {
            formula: wording.set_words(formula, options).replace("[player]", "").strip(", ")
            for formula in Formula
        }
        for told in rounds_of(history):
            part = LogRound(told.number, told.entries, names, options)
            for line in lines(part):
                for formula, kind in LINES.items():
                    # A refused veto has a plain sentence.
                    if line.kind != kind or "refuses the veto" in line.html:
                        continue
                    is_spoken = formula in options.spoken_formula
                    assert (said[formula] in line.html) is is_spoken, line.html
                    met[formula, is_spoken] += 1
    assert all(met[formula, spoken] for formula in Formula for spoken in (True, False)), met


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_president_answers_a_veto_formally_only_where_the_document_gives_the_words(edition):
    formulas = options_of(edition).spoken_formula
    assert Formula.VETO_CHANCELLOR in formulas
    assert (Formula.VETO_PRESIDENT in formulas) is (edition in ("en", "pl", "ru"))
    assert (Formula.EXECUTION in formulas) is (edition not in ("ru", "ru-5-6"))
    assert (Formula.INVESTIGATION in formulas) is (edition in ("ja", "it"))
