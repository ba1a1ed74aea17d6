"""The first night, played step by step at an imaginary table: who sees what, and when."""

from dataclasses import dataclass, field

import pytest

from games.rules.editions import EDITIONS, HitlerSignal, options_of
from games.rules.night import NightAct, NightStep, Sleepers, night_steps

LIBERALS, FASCISTS, HITLER = "liberals", "fascists", "hitler"
ALL = {LIBERALS, FASCISTS, HITLER}
GROUPS = {
    Sleepers.EVERYONE: ALL,
    Sleepers.BOTH: {FASCISTS, HITLER},
    Sleepers.FASCISTS: {FASCISTS},
    Sleepers.HITLER: {HITLER},
}
OPEN = {NightAct.SEE_EACH_OTHER, NightAct.SEE_EACH_OTHER_AND_THUMB, NightAct.OPEN_EYES}
CLOSE = {
    NightAct.CLOSE_EYES,
    NightAct.CLOSE_EYES_FIST_OUT,
    NightAct.CLOSE_EYES_AGAIN,
    NightAct.CLOSE_EYES_HANDS_DOWN,
}
LOOK = {NightAct.SEE_THUMB, NightAct.SEE_MOUSE, NightAct.LEARN_HITLER}


@dataclass
class Night:
    """What players do at an imaginary table."""

    open_eyes: set[str] = field(default_factory=lambda: set(ALL))
    fists_are_out: bool = False
    # What Hitler shows at the moment: a thumb or a moving mouse.
    sign: str = ""
    # Who has seen whom at night.
    seen: set[tuple[str, str]] = field(default_factory=set)

    def take(self, step: NightStep) -> None:
        act = step.what
        if act in CLOSE:
            self.open_eyes -= GROUPS[step.who]
        elif act in OPEN:
            self.open_eyes |= GROUPS[step.who]
        elif act in LOOK:
            assert self.open_eyes == GROUPS[step.who], "they look with open eyes"
        if act is NightAct.CLOSE_EYES_FIST_OUT:
            self.fists_are_out = True
        if act is NightAct.CLOSE_EYES_HANDS_DOWN:
            assert self.sign == ""
            self.fists_are_out = False
        if act is NightAct.RAISE_THUMB:
            assert self.fists_are_out, "a thumb is raised from a fist"
            self.sign = "thumb"
        if act is NightAct.MOVE_MOUSE:
            self.sign = "mouse"
        if act in {NightAct.LOWER_THUMB, NightAct.STOP_MOUSE}:
            assert self.sign == ("thumb" if act is NightAct.LOWER_THUMB else "mouse")
            self.sign = ""
        if act in {NightAct.SEE_EACH_OTHER_AND_THUMB, NightAct.SEE_THUMB}:
            assert self.sign == "thumb"
        if act is NightAct.SEE_MOUSE:
            assert self.sign == "mouse"
        if self.open_eyes != ALL:
            self.seen |= {(who, whom) for who in self.open_eyes for whom in self.open_eyes}
        if self.sign or act is NightAct.LEARN_HITLER:
            self.seen |= {(who, HITLER) for who in self.open_eyes}


def steps_of(signal: HitlerSignal, players: int) -> tuple[NightStep, ...]:
    return night_steps(options_of("en", {"hitler_signal": str(signal)}), players)


every_night = pytest.mark.parametrize(
    ("signal", "players"), [(s, n) for s in HitlerSignal for n in range(5, 11)]
)


@every_night
def test_no_night_shows_hitler_to_a_liberal_or_to_themselves(signal, players):
    night = Night()
    *steps, opens, says_so = steps_of(signal, players)
    for step in steps:
        night.take(step)
        assert LIBERALS not in night.open_eyes or step == steps[0]
        assert players <= 6 or HITLER not in night.open_eyes
        if night.sign:
            assert night.open_eyes <= {FASCISTS}, "only fascists may see the sign"

    # Before everyone opens their eyes, nothing is left to see.
    assert night.open_eyes == set()
    assert night.sign == "" and not night.fists_are_out
    assert opens.who is Sleepers.EVERYONE and opens.what is NightAct.OPEN_EYES
    assert (says_so.who, says_so.what) == (Sleepers.CONFUSED, NightAct.SPEAK_UP)


@every_night
def test_after_every_night_players_know_what_the_rules_say(signal, players):
    night = Night()
    for step in steps_of(signal, players):
        night.take(step) if step.who in GROUPS else None

    knows = {(FASCISTS, FASCISTS), (FASCISTS, HITLER)}
    if players <= 6:
        knows |= {(HITLER, FASCISTS), (HITLER, HITLER)}
    assert night.seen == knows


@every_night
def test_players_get_more_time_to_look_than_to_move(signal, players):
    steps = steps_of(signal, players)
    looks = {step.pause for step in steps if step.what in LOOK | OPEN - {NightAct.OPEN_EYES}}
    moves = {step.pause for step in steps[:-1]} - looks

    assert min(looks) > max(moves) > 0
    # With the time to say them, all steps fit into the minute that the first nomination waits.
    assert sum(step.pause for step in steps) <= 30


def test_the_thumb_comes_when_the_edition_says():
    def order(edition: str) -> list[NightAct]:
        return [step.what for step in night_steps(EDITIONS[edition], 7)]

    for edition in ("ja", "it"):
        raised = order(edition).index(NightAct.RAISE_THUMB)
        assert order(edition)[raised + 1] is NightAct.SEE_EACH_OTHER_AND_THUMB
    for edition in ("en", "pl"):
        raised = order(edition).index(NightAct.RAISE_THUMB)
        assert order(edition)[raised - 1] is NightAct.SEE_EACH_OTHER
        assert order(edition)[raised + 1] is NightAct.SEE_THUMB
    assert NightAct.MOVE_MOUSE in order("ru")


def test_without_a_sign_no_hand_is_held_out():
    for players in (5, 6):
        for signal in HitlerSignal:
            assert steps_of(signal, players)[0].what is NightAct.CLOSE_EYES
    assert steps_of(HitlerSignal.NONE, 8)[0].what is NightAct.CLOSE_EYES
