"""The log quotes the set words of an edition, and lets no officer speak who has none."""

from collections import Counter
from random import Random

import pytest

from games import wording
from games.panels import LogRound
from games.rules.editions import EDITIONS, Formula, options_of
from games.templatetags.table import lines
from tests.builders.game_log import rounds_of
from tests.builders.tables import NAMES
from tests.secrecy.histories import random_history

# By formula: words of its own, and the kind of log line in which it is said.
SAID = {
    Formula.VETO_CHANCELLOR: ("propose_veto", "I move that we veto this agenda"),
    Formula.VETO_PRESIDENT: ("veto", "I consent to the veto of this agenda"),
    Formula.EXECUTION: ("executed", ", I hereby formally execute you"),
    Formula.INVESTIGATION: ("investigated", ", I hereby formally investigate your loyalty"),
}


def test_every_formula_is_said_in_its_own_words():
    for formula, (_, words) in SAID.items():
        assert words in wording.set_words(formula)
        assert words in wording.prescribed(formula)
    assert {*SAID} == {*Formula}


def test_what_an_officer_has_to_say_is_said_whenever_they_do_it_and_by_no_other():
    rng, met = Random("spoken"), Counter()
    for _ in range(120):
        history = random_history(rng)
        names = NAMES[: history.players]
        for told in rounds_of(history):
            part = LogRound(told.number, told.entries, names, history.options)
            for line in lines(part):
                for formula, (kind, words) in SAID.items():
                    # A refused veto has a plain sentence.
                    if line.kind != kind or "refuses the veto" in line.html:
                        continue
                    is_spoken = formula in history.options.spoken_formula
                    assert (words in line.html) is is_spoken, line.html
                    met[formula, is_spoken] += 1
    assert all(met[formula, spoken] for formula in Formula for spoken in (True, False)), met


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_president_answers_a_veto_formally_only_where_the_document_gives_the_words(edition):
    formulas = options_of(edition).spoken_formula
    assert Formula.VETO_CHANCELLOR in formulas
    assert (Formula.VETO_PRESIDENT in formulas) is (edition in ("en", "pl", "ru"))
    assert (Formula.EXECUTION in formulas) is (edition not in ("ru", "ru-5-6"))
    assert (Formula.INVESTIGATION in formulas) is (edition in ("ja", "it"))
