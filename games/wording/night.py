"""The first night in words: who opens their eyes, and who is seen, step by step.

The book, the table and the spoken night follow the same steps. Some documents tell what players do,
and some give the orders that one of them speaks.
"""

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.rules.components import Role
from games.rules.editions import EDITIONS, HitlerSignal, Options
from games.rules.night import hitler_looks

# Seconds. No one needs long to move; people need time to look round a table of ten.
_TO_MOVE: Final = 3
_TO_LOOK: Final = 6


@dataclass(frozen=True, slots=True)
class NightStep:
    """One step of the night."""

    sentence: Promise
    # Seconds before the next step when the night is read aloud.
    pause: int


Night = tuple[NightStep, ...]


def _move(sentence: Promise) -> NightStep:
    return NightStep(sentence, _TO_MOVE)


def _look(sentence: Promise) -> NightStep:
    return NightStep(sentence, _TO_LOOK)


def _last(sentence: Promise) -> NightStep:
    return NightStep(sentence, 0)


_CLOSE: Final = _move(_("Everyone closes their eyes."))
_CLOSE_AGAIN: Final = _move(_("Everyone closes their eyes again."))
_FASCISTS_CLOSE: Final = _move(_("The fascists close their eyes."))
_FIST_OUT: Final = _move(_("Everyone closes their eyes and holds out a closed fist."))
_HANDS_DOWN: Final = _move(_("Everyone closes their eyes again and lowers their hands."))
_FASCISTS_SEE: Final = _look(
    _("The fascists other than Hitler open their eyes and see each other.")
)
_THUMB: Final = _move(_("Hitler, with closed eyes, raises a thumb."))
_SEE_THUMB: Final = _look(_("The fascists see whose thumb is up."))
_OPEN: Final = (
    _move(_("Everyone opens their eyes.")),
    _last(_("If you’re confused or something went wrong, say so now.")),
)
_OPEN_RU: Final = (_OPEN[0], _last(_("If something went wrong, say so now.")))
_OPEN_JA: Final = (
    _move(_("Everyone, open your eyes.")),
    _last(_("If anything is unclear or went wrong, say so now.")),
)
_OPEN_IT: Final = (
    _OPEN_JA[0],
    _last(_("If anyone is confused or something seems strange, tell the group now.")),
)
_CLOSE_ORDER: Final = _move(_("Everyone, close your eyes."))
_THUMB_ORDER: Final = _move(_("Hitler, keep your eyes closed and raise your thumb."))

# Where Hitler looks too. The second step is the one in which they see each other.
_TOGETHER: Final[dict[str, Night]] = {
    "en": (
        _CLOSE,
        _look(_("The fascist and Hitler open their eyes and see each other.")),
        _CLOSE_AGAIN,
        *_OPEN,
    ),
    "ru": (
        _CLOSE,
        _look(_("The fascist and Hitler open their eyes and memorise each other.")),
        _FASCISTS_CLOSE,
        *_OPEN_RU,
    ),
    "ru-5-6": (
        _CLOSE,
        _look(_("The fascist and Hitler get to know each other.")),
        _CLOSE_AGAIN,
        _last(_("Everyone opens their eyes.")),
    ),
    "ja": (
        _CLOSE_ORDER,
        _look(_("Fascist and Hitler, open your eyes and look at each other.")),
        _move(_("Everyone, close your eyes and put your hands back.")),
        *_OPEN_JA,
    ),
    "it": (
        _CLOSE_ORDER,
        _look(_("Fascists and Hitler, open your eyes and recognise each other.")),
        _move(_("Fascists and Hitler, close your eyes and lower your hands.")),
        *_OPEN_IT,
    ),
}
# House rules can have more than one fascist look at Hitler.
_SEVERAL_TOGETHER: Final = _look(_("The fascists and Hitler open their eyes and see each other."))

# Where Hitler does not look, by the sign with which Hitler is shown.
_APART: Final[dict[HitlerSignal, Night]] = {
    HitlerSignal.THUMB_AFTER: (_FIST_OUT, _FASCISTS_SEE, _THUMB, _SEE_THUMB, _HANDS_DOWN, *_OPEN),
    HitlerSignal.THUMB_BEFORE: (_FIST_OUT, _THUMB, _FASCISTS_SEE, _SEE_THUMB, _HANDS_DOWN, *_OPEN),
    HitlerSignal.MOUSE_AFTER: (
        _CLOSE,
        _look(_("The fascists, but not Hitler, open their eyes and memorise each other.")),
        _move(_("Hitler, with closed eyes, moves the mouse.")),
        _look(_("The fascists memorise Hitler.")),
        _FASCISTS_CLOSE,
        *_OPEN_RU,
    ),
    HitlerSignal.NONE: (
        _CLOSE,
        _FASCISTS_SEE,
        _look(_("They also learn who Hitler is.")),
        _CLOSE_AGAIN,
        *_OPEN,
    ),
}
# The documents that give orders for it, with their own sign.
_ORDERS: Final[dict[str, Night]] = {
    "ja": (
        _move(_("Everyone, close your eyes and hold your hands out.")),
        _THUMB_ORDER,
        _look(_("Fascists other than Hitler, open your eyes and look at each other.")),
        _look(_("The player with the thumb up is Hitler: fascists, remember who it is.")),
        _move(_("Everyone, close your eyes and put your hands back.")),
        *_OPEN_JA,
    ),
    "it": (
        _move(_("Everyone, close your eyes and hold out an arm with a closed fist.")),
        _THUMB_ORDER,
        _look(_("All fascists who aren’t Hitler, open your eyes and recognise each other.")),
        _look(_("Fascists, see who Hitler is and remember.")),
        _move(_("Everyone, close your eyes and lower your hands.")),
        *_OPEN_IT,
    ),
}


def night_steps(options: Options, players: int) -> Night:
    """Return the night of a table of `players` under these rules."""
    edition = options.edition
    if hitler_looks(options, players):
        steps = _TOGETHER.get(edition, _TOGETHER["en"])
        if options.roles(players).count(Role.FASCIST) == 1:
            return steps
        return steps[0], _SEVERAL_TOGETHER, *steps[2:]
    if options.hitler_signal is EDITIONS[edition].hitler_signal and edition in _ORDERS:
        return _ORDERS[edition]
    return _APART[options.hitler_signal]


def night(options: Options, players: int) -> tuple[str, ...]:
    """Return the night of a table of `players` under these rules, one sentence per step."""
    return tuple(str(step.sentence) for step in night_steps(options, players))
