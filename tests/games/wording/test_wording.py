"""Every event and refusal has a sentence in every language, and no sentence reveals too much."""

import re
from itertools import product
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation
from django.utils.safestring import SafeString

import games.inference
import games.management
import games.rules
import games.services
from games import wording
from games.rules import events as happened
from games.rules import powers
from games.rules.actions import ACTIONS, Discard, Nominate, ProposeVeto, Vote
from games.rules.chance import SealedChance
from games.rules.components import Ballot, Party, Policy, Role
from games.rules.editions import (
    CHOICES,
    EDITIONS,
    OPTION_NAMES,
    options_of,
)
from games.rules.knowledge import Drawn, PartySeen, Received, TopSeen
from games.rules.legality import legal_actions
from games.rules.phases import Ending, Phase
from games.rules.powers import Power
from games.rules.reasons import Reason
from games.rules.record import IllegalRecord, RecordError
from games.rules.transition import opening
from games.wording.errors import _PROBLEMS

RULES = Path(games.rules.__file__).parent
NAMES = ("Ada", "Bo", "Cy", "Di", "Ed")
LANGUAGES = [*(code for code, _ in settings.LANGUAGES), *settings.EDITION_LOCALES.values()]
LIBERAL, FASCIST = Policy.LIBERAL, Policy.FASCIST

EVENTS = [
    happened.Nominated(0, 1),
    happened.Ballots((Ballot.JA, Ballot.NEIN, None, Ballot.JA, Ballot.JA)),
    happened.Ballots((Ballot.JA,) * 5),
    happened.Ballots((Ballot.NEIN,) * 5),
    happened.Elected(0, 1),
    happened.Rejected(0, 1),
    *(happened.Tracker(value) for value in range(4)),
    happened.NotHitler(1),
    *(happened.Enacted(policy, by) for policy in Policy for by in ("government", "chaos")),
    happened.Veto(True),
    happened.Veto(False),
    *(powers.Investigated(2, party) for party in (None, *Party)),
    powers.SpecialElection(3),
    powers.Peeked(None),
    powers.Peeked((LIBERAL, FASCIST, FASCIST)),
    powers.Executed(4),
    happened.Shuffled(1),
    happened.Shuffled(14),
    happened.Candidate(2),
    *(happened.Over(Party.LIBERAL, str(ending)) for ending in Ending),
]


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def tell(event, edition="en", actor=0, **more):
    return wording.event_sentence(event, actor, NAMES, options_of(edition), **more)


# The log ---------------------------------------------------------------------


def test_every_event_has_a_sentence_with_no_place_left_empty():
    wrong = []
    for language, edition, html in product(LANGUAGES, EDITIONS, [False, True]):
        with translation.override(language):
            for event in EVENTS:
                sentence = tell(event, edition, html=html, game_goes_on=True)
                if not sentence.strip() or set("{}") & set(sentence):
                    wrong.append((language, edition, html, event, sentence))
    assert wrong == []


def test_sentences_are_whole_and_name_the_players():
    assert tell(EVENTS[0]) == "Ada nominates Bo as Chancellor."
    assert tell(EVENTS[1]) == "Votes for Ja: Ada, Di, and Ed. Votes for Nein: Bo."
    assert tell(happened.Tracker(2)) == "The election tracker advances to 2."
    assert tell(happened.Shuffled(1)).endswith("1 policy now.")
    assert tell(happened.Shuffled(12)).endswith("12 policies now.")


def test_an_unknown_party_is_not_told_and_a_known_one_is():
    unknown = tell(powers.Investigated(2, None))
    assert "liberal" not in unknown
    assert "fascist" not in unknown
    assert "liberal" in tell(powers.Investigated(2, Party.LIBERAL))
    assert "fascist" in tell(powers.Investigated(2, Party.FASCIST))


def test_a_peek_tells_the_policies_top_first_to_those_who_may_know():
    assert "liberal" not in tell(powers.Peeked(None))
    assert "fascist, liberal, and fascist" in tell(powers.Peeked((FASCIST, LIBERAL, FASCIST)))


def test_names_in_html_are_marked_and_escaped_once():
    html = wording.event_sentence(happened.Nominated(0, 1), 0, ["<b>", "{x} & y"], html=True)
    assert isinstance(html, SafeString)
    assert '<bdi class="name" data-seat="0">&lt;b&gt;</bdi>' in html
    assert '<bdi class="name" data-seat="1">{x} &amp; y</bdi>' in html


@pytest.mark.parametrize("edition", ["pl", "it"])
def test_an_execution_is_spoken_where_the_edition_has_words_for_it(edition):
    assert "“" in tell(powers.Executed(4), edition)
    assert "“" not in tell(powers.Executed(4), "ru")


def test_an_investigation_is_spoken_in_the_early_rules_only():
    for edition in EDITIONS:
        spoken = "“" in tell(powers.Investigated(2, None), edition)
        assert spoken is (edition in ("ja", "it"))


def test_a_veto_is_proposed_in_set_words_but_only_some_presidents_answer_in_them():
    silent = options_of("en", {"spoken_formula": []})
    for edition in EDITIONS:
        assert "“" in wording.action_sentence(ProposeVeto(1), NAMES, options_of(edition))
        assert ("“" in tell(happened.Veto(True), edition)) is (edition in ("en", "pl", "ru"))
        assert "both policies are discarded" in tell(happened.Veto(True), edition).lower()
        assert "“" not in tell(happened.Veto(False), edition)
    assert "“" not in wording.event_sentence(happened.Veto(True), 0, NAMES, silent)
    assert "“" not in wording.action_sentence(ProposeVeto(1), NAMES, silent)


@pytest.mark.parametrize("edition", [name for name in EDITIONS if name != "it"])
def test_whether_a_new_chancellor_is_hitler_is_asked_and_answered(edition):
    rules = options_of(edition)
    elected = [happened.Elected(0, 1), happened.Tracker(0)]
    *_, no = wording.event_sentences([*elected, happened.NotHitler(1)], 4, NAMES, rules)
    assert no.startswith("“Chancellor Bo, are you Hitler?” – “No, I am not Hitler.”")
    over = happened.Over(Party.FASCIST, "hitler_elected")
    *_, yes = wording.event_sentences([*elected, over], 4, NAMES, rules)
    assert yes.startswith("“Chancellor Bo, are you Hitler?” – “Yes, I am Hitler.”")
    assert yes.endswith("the fascists win.")


@pytest.mark.parametrize("edition", [name for name in EDITIONS if name != "it"])
def test_an_executed_hitler_says_so(edition):
    over = happened.Over(Party.LIBERAL, "hitler_executed")
    told = wording.event_sentences([powers.Executed(4), over], 0, NAMES, options_of(edition))
    assert "Hitler" not in told[0]
    assert told[1].startswith("“Ed, are you Hitler?” – “Yes, I am Hitler.”")
    assert told[1].endswith("the liberals win.")


def test_by_the_italian_rules_nobody_asks_and_an_executed_hitler_shows_the_role_card():
    rules = options_of("it")
    elected = [happened.Elected(0, 1), happened.Tracker(0)]
    *_, no = wording.event_sentences([*elected, happened.NotHitler(1)], 4, NAMES, rules)
    assert no == "Chancellor Bo declares: “I am not Hitler.”"
    over = happened.Over(Party.FASCIST, "hitler_elected")
    *_, yes = wording.event_sentences([*elected, over], 4, NAMES, rules)
    assert yes.startswith("Chancellor Bo declares: “I am Hitler.”")
    over = happened.Over(Party.LIBERAL, "hitler_executed")
    *_, shown = wording.event_sentences([powers.Executed(4), over], 0, NAMES, rules)
    assert shown.startswith("Ed shows the secret role card: Hitler.")


def test_the_bullet_is_put_before_a_player_by_the_russian_rules_only():
    for edition in EDITIONS:
        assert ("bullet" in tell(powers.Executed(4), edition)) is (edition == "ru")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_action_has_a_sentence(language):
    with translation.override(language):
        for kind in ACTIONS.values():
            for action in _actions_of(kind):
                sentence = wording.action_sentence(action, NAMES, options_of("it"), html=True)
                assert "data-seat" in sentence


def _actions_of(kind):
    name = list(kind.__dataclass_fields__)[-1]
    values = {
        "target": [1],
        "ballot": list(Ballot),
        "policy": list(Policy),
        "consent": [True, False],
    }
    return [kind(0, value) for value in values[name]] if name in values else [kind(0)]


def test_silent_actions_are_told_to_those_who_know_all():
    assert wording.action_sentence(Vote(1, Ballot.NEIN), NAMES) == "Bo votes Nein."
    assert wording.action_sentence(Discard(1, FASCIST), NAMES).endswith(
        "discards a fascist policy."
    )
    assert wording.action_sentence(Nominate(0, 1), NAMES) == tell(happened.Nominated(0, 1))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_piece_of_knowledge_has_a_sentence_that_names_its_owner(language):
    pieces = [
        Drawn(3, 1, (LIBERAL, FASCIST, FASCIST), LIBERAL),
        Drawn(3, 1, (LIBERAL, FASCIST, FASCIST), FASCIST),
        Received(3, 1, (LIBERAL, FASCIST)),
        PartySeen(3, 1, 2, Party.LIBERAL),
        PartySeen(3, 1, 2, Party.FASCIST),
        TopSeen(3, 1, (FASCIST, FASCIST, LIBERAL)),
    ]
    with translation.override(language):
        sentences = [wording.learnt(piece, NAMES) for piece in pieces]
    assert len(set(sentences)) == len(pieces)
    assert all("Bo" in sentence and "3" in sentence for sentence in sentences)


# Words, options, the night ---------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_a_word(language):
    with translation.override(language):
        told = [
            *map(wording.role, Role),
            *map(wording.party, Party),
            *map(wording.policy, Policy),
            *map(wording.phase, (*Phase, *Power)),
            *map(wording.power, Power),
            *map(wording.power_explained, Power),
            *map(wording.ending, Ending),
            *map(wording.winner, Party),
            *map(wording.refusal, Reason),
            *map(wording.edition_name, EDITIONS),
            *map(wording.option_name, OPTION_NAMES),
            *map(wording.option_explained, OPTION_NAMES),
        ]
    assert all(type(word) is str and word for word in told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_of_every_option_has_a_word(language):
    with translation.override(language):
        for options in EDITIONS.values():
            for name in OPTION_NAMES:
                assert wording.option_value(name, getattr(options, name))
        for name, values in CHOICES.items():
            words = [wording.option_value(name, str(value)) for value in values]
            assert len(set(words)) == len(words)


# Errors ---------------------------------------------------------------------


def test_every_record_error_says_where_and_what():
    names = ["value", "allowed", "digits", "last", "least", "most", "found", "liberal", "fascist"]
    params = dict.fromkeys([*names, "number", "rule"], 7)
    wrong = []
    for language, code in product(LANGUAGES, _PROBLEMS):
        with translation.override(language):
            sentence = wording.record_error(RecordError(code, "deal.roles[2]", **params))
        if not sentence.startswith("deal.roles[2]") or set("{}") & set(sentence):
            wrong.append((language, code, sentence))
    assert wrong == []


def test_every_error_that_the_sources_raise_has_a_sentence():
    names = ("reading", "record", "record_claims", "record_file", "seals", "io_summary")
    sources = [RULES / f"{name}.py" for name in names]
    sources.append(Path(games.services.__file__).parent / "uploads.py")
    codes = set()
    for source in sources:
        codes |= set(re.findall(r'RecordError\(\s*"(\w+)"', source.read_text(encoding="utf-8")))
    assert codes | {"unknown_option", "not_allowed"} == set(_PROBLEMS)


def test_an_illegal_action_is_told_with_its_rule_and_what_was_legal():
    chance = SealedChance(b"\1" * 32, ["00" * 16] * 5)
    state = opening(options_of("en"), chance.deal(options_of("en"), 5))
    seat = state.to_act[0]
    error = IllegalRecord(1, Nominate(seat, seat), Reason.YOURSELF, legal_actions(state, seat))
    lines = wording.illegal_record(error).splitlines()
    assert lines[0].startswith("Action 1 is illegal")
    assert lines[1] == wording.refusal(Reason.YOURSELF)
    assert len(lines) == 3 + 4
