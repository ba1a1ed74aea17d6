"""The first night, played sentence by sentence at an imaginary table: who sees whom, and when."""

import re
from dataclasses import dataclass, field

import pytest
from django.utils import translation

from games import wording
from games.rules.editions import EDITIONS, HitlerSignal, Options, options_of

LIBERALS, FASCISTS, HITLER = "liberals", "fascists", "hitler"
ALL = {LIBERALS, FASCISTS, HITLER}
TABLES = {
    f"{edition}-{players}": (options, players)
    for edition, options in EDITIONS.items()
    for players in range(options.players[0], options.players[1] + 1)
} | {
    f"{edition}-{signal}": (options_of(edition, {"hitler_signal": str(signal)}), 7)
    for edition in EDITIONS
    for signal in HitlerSignal
    if edition != "ru-5-6"
}


@dataclass
class Night:
    """What players do at an imaginary table."""

    open_eyes: set[str] = field(default_factory=lambda: set(ALL))
    hands_are_out: bool = False
    # What Hitler shows at the moment: a thumb or a moving mouse.
    sign: str = ""
    # Who has seen whom at night.
    seen: set[tuple[str, str]] = field(default_factory=set)

    def take(self, sentence: str) -> None:
        if re.search("[Ff]ascists? and Hitler", sentence):
            group = {FASCISTS, HITLER}
        elif sentence.startswith("Hitler"):
            group = {HITLER}
        else:
            group = ALL if sentence.startswith("Everyone") else {FASCISTS}
        if sentence == "The fascists close their eyes.":
            group = {FASCISTS, HITLER}
        is_opening = "open" in sentence or "get to know" in sentence
        if re.search("closes? ", sentence):
            self.open_eyes -= group
        elif is_opening:
            self.open_eyes |= group
        if re.search("holds? out|hold your hands out", sentence):
            self.hands_are_out = True
        if re.search("lowers?|back", sentence) or sentence == "The fascists close their eyes.":
            self.hands_are_out, self.sign = False, ""
        if re.search("raises? (a|your) thumb", sentence):
            assert self.hands_are_out, "a thumb is raised from a hand"
            self.sign = "thumb"
        if "moves the mouse" in sentence:
            self.sign = "mouse"
        if is_opening and group != ALL:
            self.seen |= {(who, whom) for who in group for whom in group}
        if re.search("thumb (is )?up|thumb up|who Hitler is|memorise Hitler", sentence):
            assert self.sign or "They also learn" in sentence
            self.seen |= {(who, HITLER) for who in self.open_eyes}


def sentences(options: Options, players: int) -> tuple[str, ...]:
    with translation.override("en"):
        return wording.night(options, players)


@pytest.mark.parametrize("table", TABLES)
def test_a_night_shows_players_what_the_rules_say_and_nothing_else(table):
    options, players = TABLES[table]
    night, told = Night(), sentences(options, players)
    for place, sentence in enumerate(told):
        if re.match("Everyone,? opens? ", sentence):
            # Nothing is left to see.
            assert night.open_eyes - {FASCISTS, HITLER} == set()
            assert not night.hands_are_out
            assert place >= len(told) - 2
            break
        night.take(sentence)
        assert LIBERALS not in night.open_eyes
        assert players <= 6 or HITLER not in night.open_eyes
    else:
        pytest.fail("they never open their eyes")

    knows = {(FASCISTS, FASCISTS), (FASCISTS, HITLER)}
    if players <= 6:
        knows |= {(HITLER, FASCISTS), (HITLER, HITLER)}
    assert night.seen == knows


@pytest.mark.parametrize("table", TABLES)
def test_players_get_more_time_to_look_than_to_move(table):
    steps = wording.night_steps(*TABLES[table])
    times = {step.pause for step in steps[:-1]}

    assert steps[-1].pause == 0
    assert len(times) == 2 and min(times) > 0
    assert steps[0].pause == min(times)
    # With the time to say them, all steps fit into the minute that the first nomination waits.
    assert sum(step.pause for step in steps) <= 30


@pytest.mark.parametrize(
    ("edition", "gestures"),
    [
        ("en", ["fist", "thumb", "thumb", "hands"]),
        ("pl", ["fist", "thumb", "thumb", "hands"]),
        ("ru", ["mouse"]),
        ("ja", ["hands", "thumb", "thumb", "hands"]),
        ("it", ["fist", "thumb", "hands"]),
    ],
)
def test_a_night_has_the_gestures_of_its_own_document(edition, gestures):
    told = " ".join(sentences(options_of(edition), 7))
    assert re.findall("fist|thumb|mouse|hands", told) == gestures


@pytest.mark.parametrize("edition", ["ja", "it"])
def test_documents_that_give_orders_have_them_spoken_to_the_players(edition):
    for players in (5, 7):
        told = sentences(options_of(edition), players)
        assert all("your eyes" in sentence for sentence in told[:2])
        assert not any("their eyes" in sentence for sentence in told)


def test_the_night_for_five_or_six_is_told_without_a_sign():
    for edition, options in EDITIONS.items():
        told = sentences(options, 5)
        assert not re.search("thumb|mouse|fist", " ".join(told)), edition
        assert sentences(options_of(edition, {"hitler_signal": "thumb_before"}), 5) == told


def test_a_house_rule_for_the_sign_leaves_the_edition_s_own_gestures():
    assert "mouse" in sentences(options_of("it", {"hitler_signal": "mouse_after"}), 7)[2]
    assert "thumb" in sentences(options_of("ru", {"hitler_signal": "thumb_before"}), 7)[1]


def test_several_fascists_look_at_hitler_where_the_house_says_so():
    for edition in ("en", "ru", "ja"):
        told = sentences(options_of(edition, {"hitler_knows": "always"}), 9)
        assert told[1] == "The fascists and Hitler open their eyes and see each other."
    assert "thumb" in " ".join(sentences(options_of("en", {"hitler_knows": "never"}), 5))
