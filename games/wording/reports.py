"""Moderators' texts for reported users."""

from collections.abc import Mapping
from typing import Final

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

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
    "name": _("Your name isn’t suitable for a public site. Please choose another."),
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
