"""The lines of bots: whole in each language, each its own, and short."""

import string
from collections import Counter

import pytest
from django.conf import settings

from games import bots
from games.bots.rhythm import LINES
from games.wording.phrases import PHRASES
from games.wording.voices import lines_in

LONGEST = 90
LANGUAGES = sorted({locale.partition("-")[0] for locale, _ in settings.LANGUAGES})
KEYS = """
hello_0 hello_1 good_luck_0 strange_vote_1 why_this_vote_1 what_drawn_1 what_handed_1 say_what_1
whom_nominate_1 too_quiet_1 suspect_1 suspect_2 fascist_1 hitler_1 beware_hitler_0 lying_1 lying_2
confessed_1 trust_1 liberal_1 good_pair_2 nominate_1 not_nominate_1 me_nominate_1 me_vote_ja_0
me_vote_nein_0 me_no_choice_0 me_not_hitler_0 me_truth_0 me_truth_1 me_wronged_1 me_liberal_0
me_liberal_1 ja_trust_1 ja_chance_0 ja_chaos_0 nein_hitler_1 nein_distrust_1 nein_other_0 nein_me_0
thanks_1 perhaps_1 no_idea_1
agree_1 disagree_1 point_1 not_convinced_1 only_bot_0 ha_0 you_too_1 end_knew_1 end_fooled_1
end_won_0 end_lost_0 end_hid_0 end_hitler_0
claim_drew_0 claim_drew_1 claim_drew_2 claim_drew_3 claim_handed_0 claim_handed_1 claim_handed_2
claim_saw claim_liberal claim_fascist
""".split()  # noqa: SIM905
# The lines beside a claim: the placeholders that they may have, and those that they must have.
CLAIMS = {"handed": ({"first"}, set())} | dict.fromkeys(("liberal", "fascist"), ({"first"},) * 2)


def places_of(key):
    """Return the placeholders that a line may have and must have."""
    code, _, count = key.rpartition("_")
    if key.startswith("claim_"):
        return CLAIMS.get(key.split("_")[1], (set(), set()))
    assert int(count) in PHRASES[code].sentences, key
    named = {"first", "second"} if count == "2" else {"first"} if count == "1" else set()
    return named, named


def every_line(language):
    for voice, said in lines_in(language).items():
        for key, lines in said.items():
            for line in lines:
                yield voice, key, line


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_character_has_all_its_lines(language):
    voices = lines_in(language)
    assert set(voices) == set(bots.CHARACTERS)
    wrong = {
        (voice, key): len(said.get(key, ()))
        for voice, said in voices.items()
        for key in {*KEYS, *said}
        if len(said.get(key, ())) != LINES or key not in KEYS
    }
    assert wrong == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_line_names_whom_it_is_about_and_is_short_plain_text(language):
    wrong = []
    for voice, key, line in every_line(language):
        may, must = places_of(key)
        named = {name for _, name, _, _ in string.Formatter().parse(line) if name is not None}
        is_plain = line == line.strip() and not set(line) & set("<>&\n")
        if not must <= named <= may or len(line) > LONGEST or not is_plain:
            wrong.append((voice, key, line))
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_comes_twice_in_a_language(language):
    counts = Counter(line.casefold() for _, _, line in every_line(language))
    assert [line for line, count in counts.items() if count > 1] == []
