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
        "You were abusive at a table. Attack arguments, never people: everyone’s here to "
        "enjoy the game."
    ),
    "cheating": _(
        "You shared a game’s secrets outside the game, or used secrets shared there. That "
        "spoils it for everyone else at the table."
    ),
    "throwing": _(
        "You played against your own side on purpose. The game only works if everyone tries to win."
    ),
    "stalling": _(
        "You kept others waiting again and again. Start a game only when you have time to "
        "finish it, and decide when it’s your turn."
    ),
    "name": _("Your name isn’t right for a site that everyone can read. Please choose another."),
    "spam": _(
        "You posted the same thing over and over, or advertised something. Chat at a table "
        "is for the game and its players."
    ),
    "other": _("What you did breaks this site’s rules."),
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
                "Time ran out, and a bot decided: {count} of {of} decisions. Rounds: {rounds}.",
            )
        case "left":
            said = pgettext(
                "hint",
                "Left before the end: a bot made the last decisions ({count}), from round "
                "{rounds} on.",
            )
        case "slow":
            said = pgettext(
                "hint",
                "Slow decisions, taking three quarters of their time or more: {count} of {of}.",
            )
        case _:
            raise ValueError(f"no such sign: {sign}")
    return said.format(rounds=where, count=count, of=of)
