"""Log sentences about decisions of a table, and of moderators about a table."""

from collections.abc import Callable
from typing import Final

from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .sentences import named

_RULED: Final = {
    "freeze": gettext_lazy("A moderator freezes the table, and its clocks stop. Reason: {reason}."),
    "thaw": gettext_lazy(
        "A moderator unfreezes the table. The clocks carry on from where they stopped."
    ),
    "close": gettext_lazy("A moderator closes this table. Reason: {reason}."),
    "void": gettext_lazy("A moderator voids this game, so it doesn’t count. Reason: {reason}."),
}


def replaced(gone: str, newcomer: str, html: bool = False) -> str:
    """Return the sentence about a substitute by vote; equal names are mentioned once."""
    say: Callable[..., str] = format_html if html else str.format
    if gone == newcomer:
        sentence = _("The players voted: another player takes over {name}’s seat.")
        return say(sentence, name=_named(gone, html))
    sentence = _("The players voted: {newcomer} takes over {gone}’s seat.")
    return say(sentence, newcomer=_named(newcomer, html), gone=_named(gone, html))


def stopped() -> str:
    """Return the sentence that the table has ended the game."""
    return _(
        "Too many players have left, so the others voted to end the game here, without a winner."
    )


def replaced_by_order(
    gone: str, newcomer: str, reason: str, *, is_bot: bool = False, html: bool = False
) -> str:
    """Return the sentence about a substitute by a moderator; equal names are mentioned once."""
    say: Callable[..., str] = format_html if html else str.format
    if gone == newcomer:
        sentence = (
            _("A moderator gives {name}’s seat to a bot. Reason: {reason}.")
            if is_bot
            else _("A moderator gives {name}’s seat to another player. Reason: {reason}.")
        )
        return say(sentence, name=_named(gone, html), reason=reason)
    sentence = (
        _("A moderator gives {gone}’s seat to the bot {newcomer}. Reason: {reason}.")
        if is_bot
        else _("A moderator gives {gone}’s seat to {newcomer}. Reason: {reason}.")
    )
    return say(sentence, newcomer=_named(newcomer, html), gone=_named(gone, html), reason=reason)


def ruled(kind: str, reason: str) -> str:
    """Return the sentence that a moderator has frozen, thawed, closed or voided the game, and why.

    `reason` is text in the active language.
    """
    return str(_RULED[kind]).format(reason=reason)


def _named(name: str, html: bool) -> str:
    # Not marked with the seat's number, because both names belong to the seat.
    return named(name) if html else name
