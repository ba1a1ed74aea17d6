"""The minutes quote the set words of an edition: veto, execution, investigation."""

from collections import Counter
from random import Random

from games.panels import LogRound
from games.rules.editions import Formula
from games.templatetags.table import lines
from tests.builders.game_log import rounds_of
from tests.builders.tables import NAMES
from tests.secrecy.histories import random_history

# By formula: the sentence, in our own wording, and the kind of log line that it belongs to.
SAID = {
    Formula.VETO: {"propose_veto": "Let us enact neither of these.", "veto": "Very well, neither"},
    Formula.EXECUTION: {"executed": "your part in this ends here."},
    Formula.INVESTIGATION: {"investigated": "show me where you stand."},
}


def test_what_an_edition_has_its_officers_say_is_said_whenever_they_do_it():
    rng, met = Random("spoken"), Counter()
    for _ in range(80):
        history = random_history(rng)
        names = NAMES[: history.players]
        for told in rounds_of(history):
            part = LogRound(told.number, told.entries, names, history.options)
            for line in lines(part):
                for formula, words in SAID.items():
                    sentence = words.get(line.kind)
                    # A refused veto has a plain sentence.
                    if sentence is None or "refuses the veto" in line.html:
                        continue
                    is_spoken = formula in history.options.spoken_formula
                    assert (sentence in line.html) is is_spoken, line.html
                    met[line.kind, is_spoken] += 1
    kinds = [kind for words in SAID.values() for kind in words]
    assert all(met[kind, spoken] for kind in kinds for spoken in (True, False)), met
