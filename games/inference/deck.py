"""The hidden draw pile: how many liberal policies it may still hold, and what a draw may bring."""

from functools import cache
from math import comb
from typing import Final

from games.rules.components import CARDS_DRAWN

# How likely the pile holds 0, 1, 2 or more liberal policies. Three zeros follow, so that a
# step that removes up to three cards needs no check of the index.
Pile = tuple[float, ...]
# By the number of liberal policies drawn and by the number left, how likely both are together with
# everything that followed.
Kernel = tuple[tuple[float, ...], ...]

_PADDING: Final = (0.0,) * CARDS_DRAWN


def known_pile(liberal: int, most: int) -> Pile:
    """Return a pile that holds exactly `liberal` policies of the `most` that the game has."""
    return tuple(float(count == liberal) for count in range(most + 1)) + _PADDING


@cache
def draw_odds(pile: int, liberal: int) -> tuple[float, ...]:
    """Return the probabilities that the next three cards hold 0, 1, 2 or 3 liberal policies.

    >>> [round(odds, 3) for odds in draw_odds(17, 6)]
    [0.243, 0.485, 0.243, 0.029]
    """
    fascist = pile - liberal
    if fascist < 0 or pile < CARDS_DRAWN:
        return (0.0,) * (CARDS_DRAWN + 1)
    return tuple(
        comb(liberal, drawn) * comb(fascist, CARDS_DRAWN - drawn) / comb(pile, CARDS_DRAWN)
        for drawn in range(CARDS_DRAWN + 1)
    )


def kernel(pile: int, weights: tuple[float, ...], most: int) -> Kernel:
    """Return what `after_draw` needs: by drawn and by what is left, odds times weight.

    `weights` says by the number of liberal policies drawn how likely everything is that followed;
    `most` is the number of liberal policies in the game.
    """
    return tuple(
        tuple(
            draw_odds(pile, left + drawn)[drawn] * weights[drawn] if left + drawn <= most else 0.0
            for left in range(most + 1)
        )
        for drawn in range(CARDS_DRAWN + 1)
    )


def after_draw(before: Pile, kernel: Kernel) -> tuple[float, Pile]:
    """Return the likelihood of a session, and the pile that it left."""
    none, one, two, three = kernel
    after = [
        a * w + b * x + c * y + d * z
        for a, b, c, d, w, x, y, z in zip(
            before, before[1:], before[2:], before[3:], none, one, two, three, strict=False
        )
    ]
    return _normal(before, after)


def after_top(before: Pile, pile: int, is_liberal: bool) -> tuple[float, Pile]:
    """Return the likelihood that the top card is of this kind, and the pile without it."""
    counts = range(len(before) - len(_PADDING))
    if is_liberal:
        after = [(left + 1) / pile * before[left + 1] for left in counts]
    else:
        after = [max(0, pile - left) / pile * before[left] for left in counts]
    return _normal(before, after)


def _normal(before: Pile, after: list[float]) -> tuple[float, Pile]:
    total = sum(after)
    if total <= 0:
        # What happened is impossible by this model's facts. It then says nothing about roles.
        return 0.0, before
    return total, (*[value / total for value in after], *_PADDING)
