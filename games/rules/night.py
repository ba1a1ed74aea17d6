"""The first night as a list of steps: who acts, what they do, and how long the table pauses.

The book, the table and the spoken night all follow this one list; `games.wording.night` has its
words.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, assert_never

from games.rules.components import Role
from games.rules.editions import HitlerKnows, HitlerSignal, Options

# With up to this number of players, Hitler opens their eyes too.
_HITLER_LOOKS_UP_TO: Final = 6

# Seconds. No one needs long to move; people need time to look round a table of ten.
_TO_MOVE: Final = 3
_TO_LOOK: Final = 6


class Sleepers(StrEnum):
    """Who acts in a step."""

    EVERYONE = "everyone"
    # The fascist and Hitler, who see each other at a small table.
    BOTH = "both"
    # The fascists and Hitler, if Hitler looks at a large table too.
    ALL_FASCISTS = "all_fascists"
    # The fascists other than Hitler.
    FASCISTS = "fascists"
    HITLER = "hitler"
    # Players who missed something.
    CONFUSED = "confused"


class NightAct(StrEnum):
    """What they do."""

    CLOSE_EYES = "close_eyes"
    # Hold out a closed fist and close their eyes.
    CLOSE_EYES_FIST_OUT = "close_eyes_fist_out"
    # Open their eyes and look at the others whose eyes are open.
    SEE_EACH_OTHER = "see_each_other"
    # The same, with Hitler's thumb raised already.
    SEE_EACH_OTHER_AND_THUMB = "see_each_other_and_thumb"
    RAISE_THUMB = "raise_thumb"
    SEE_THUMB = "see_thumb"
    LOWER_THUMB = "lower_thumb"
    MOVE_MOUSE = "move_mouse"
    SEE_MOUSE = "see_mouse"
    STOP_MOUSE = "stop_mouse"
    # Find out who Hitler is, when the rules name no sign.
    LEARN_HITLER = "learn_hitler"
    CLOSE_EYES_AGAIN = "close_eyes_again"
    # Close their eyes and lower their hands.
    CLOSE_EYES_HANDS_DOWN = "close_eyes_hands_down"
    OPEN_EYES = "open_eyes"
    SPEAK_UP = "speak_up"


@dataclass(frozen=True, slots=True)
class NightStep:
    """One step of the night."""

    who: Sleepers
    what: NightAct
    # Seconds before the next step.
    pause: int


def hitler_looks(options: Options, players: int) -> bool:
    """Return whether Hitler opens their eyes too and learns who the fascists are."""
    match options.hitler_knows:
        case HitlerKnows.SMALL_TABLES:
            return players <= _HITLER_LOOKS_UP_TO
        case HitlerKnows.ALWAYS:
            return True
        case HitlerKnows.NEVER:
            return False
        case _:
            assert_never(options.hitler_knows)


def night_steps(options: Options, players: int) -> tuple[NightStep, ...]:
    """Return the night of a table of `players` under these rules."""
    everyone = Sleepers.EVERYONE
    signal = options.hitler_signal
    looks = hitler_looks(options, players)
    if looks:
        is_pair = options.roles(players).count(Role.FASCIST) == 1
        who = Sleepers.BOTH if is_pair else Sleepers.ALL_FASCISTS
        middle: tuple[NightStep, ...] = (NightStep(who, NightAct.SEE_EACH_OTHER, _TO_LOOK),)
    else:
        middle = _large_table(signal)
    # Only a sign needs a hand.
    has_sign = not looks and signal is not HitlerSignal.NONE
    close = NightAct.CLOSE_EYES_FIST_OUT if has_sign else NightAct.CLOSE_EYES
    close_again = NightAct.CLOSE_EYES_HANDS_DOWN if has_sign else NightAct.CLOSE_EYES_AGAIN
    return (
        NightStep(everyone, close, _TO_MOVE),
        *middle,
        NightStep(everyone, close_again, _TO_MOVE),
        NightStep(everyone, NightAct.OPEN_EYES, _TO_MOVE),
        NightStep(Sleepers.CONFUSED, NightAct.SPEAK_UP, 0),
    )


def _large_table(signal: HitlerSignal) -> tuple[NightStep, ...]:
    fascists, hitler = Sleepers.FASCISTS, Sleepers.HITLER
    match signal:
        case HitlerSignal.THUMB_BEFORE:
            return (
                NightStep(hitler, NightAct.RAISE_THUMB, _TO_MOVE),
                NightStep(fascists, NightAct.SEE_EACH_OTHER_AND_THUMB, _TO_LOOK),
                NightStep(hitler, NightAct.LOWER_THUMB, _TO_MOVE),
            )
        case HitlerSignal.THUMB_AFTER:
            return (
                NightStep(fascists, NightAct.SEE_EACH_OTHER, _TO_LOOK),
                NightStep(hitler, NightAct.RAISE_THUMB, _TO_MOVE),
                NightStep(fascists, NightAct.SEE_THUMB, _TO_LOOK),
                NightStep(hitler, NightAct.LOWER_THUMB, _TO_MOVE),
            )
        case HitlerSignal.MOUSE_AFTER:
            return (
                NightStep(fascists, NightAct.SEE_EACH_OTHER, _TO_LOOK),
                NightStep(hitler, NightAct.MOVE_MOUSE, _TO_MOVE),
                NightStep(fascists, NightAct.SEE_MOUSE, _TO_LOOK),
                NightStep(hitler, NightAct.STOP_MOUSE, _TO_MOVE),
            )
        case HitlerSignal.NONE:
            return (
                NightStep(fascists, NightAct.SEE_EACH_OTHER, _TO_LOOK),
                NightStep(fascists, NightAct.LEARN_HITLER, _TO_LOOK),
            )
        case _:
            assert_never(signal)
