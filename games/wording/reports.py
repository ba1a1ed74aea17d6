"""Moderators' texts for reported users, and sentences for hints in a game's record."""

from collections.abc import Mapping, Sequence
from typing import Final

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from .sentences import listed

# Keys are the reasons of games.models.Reason.
_READY: Final[Mapping[str, Promise]] = {
    "abuse": _(
        "What you wrote at a table was abusive. Attack arguments and never people: everybody "
        "here wants to enjoy the game."
    ),
    "cheating": _(
        "You told secrets of a game outside the game, or used what was told there. That spoils "
        "the game for everybody else at the table."
    ),
    "throwing": _(
        "You played against your own side on purpose. A table relies on everybody trying to win."
    ),
    "stalling": _(
        "You kept the others waiting again and again. Begin a game only when you have the time "
        "to finish it, and decide when it is your turn."
    ),
    "name": _(
        "Your name does not suit a site where everybody reads it. Please choose another one."
    ),
    "spam": _(
        "You wrote the same thing again and again, or advertised something. The talk at a table "
        "is for the game and its people."
    ),
    "other": _("What you did is against the rules of this site."),
}


def ready_text(reason: str, language: str) -> str:
    """Return the text for this reason, in the language of its reader."""
    with translation.override(language):
        return str(_READY[reason])


def conduct_sign_sentence(sign: str, rounds: Sequence[int], count: int, of: int) -> str:
    """Return a hint from the record as a sentence; `sign` is a value of `Sign`."""
    where = listed([str(number) for number in rounds])
    match sign:
        case "discarded_liberal":
            said = pgettext(
                "hint",
                "A liberal President discarded a liberal policy with a fascist one in hand. "
                "Rounds: {rounds}.",
            )
        case "enacted_fascist":
            said = pgettext(
                "hint",
                "A liberal Chancellor enacted a fascist policy with a liberal one in hand. "
                "Rounds: {rounds}.",
            )
        case "ran_out":
            said = pgettext(
                "hint",
                "The time ran out, and a stand-in decided: {count} of {of} decisions. "
                "Rounds: {rounds}.",
            )
        case "left":
            said = pgettext(
                "hint",
                "Left before the end: a stand-in made the last decisions ({count}), from round "
                "{rounds} on.",
            )
        case "slow":
            said = pgettext(
                "hint",
                "Slow decisions, which took three quarters of their time or more: {count} of {of}.",
            )
        case _:
            raise ValueError(f"no such sign: {sign}")
    return said.format(rounds=where, count=count, of=of)
