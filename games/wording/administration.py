"""Log sentences about decisions of a table, and of moderators about a table."""

from collections.abc import Callable
from typing import Final

from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

_RULED: Final = {
    "freeze": gettext_lazy(
        "A moderator freezes the table: its clocks stand still. Reason: {reason}."
    ),
    "thaw": gettext_lazy("A moderator thaws the table: its clocks go on with what was left."),
    "close": gettext_lazy("A moderator closes this table. Reason: {reason}."),
    "void": gettext_lazy("A moderator voids this game: it counts for nothing. Reason: {reason}."),
}


def replaced(gone: str, newcomer: str, html: bool = False) -> str:
    """Return the sentence about a substitute by vote; equal names are mentioned once."""
    say: Callable[..., str] = format_html if html else str.format
    if gone == newcomer:
        sentence = _("The table has given the seat of {name} to another player.")
        return say(sentence, name=_named(gone, html))
    sentence = _("By a vote of the table, {newcomer} takes over the seat of {gone}.")
    return say(sentence, newcomer=_named(newcomer, html), gone=_named(gone, html))


def stopped() -> str:
    """Return the sentence that the table has ended the game."""
    return _("Too many have left. By a vote of the table, the game ends here without a winner.")


def replaced_by_order(
    gone: str, newcomer: str, reason: str, *, is_bot: bool = False, html: bool = False
) -> str:
    """Return the sentence about a substitute by a moderator; equal names are mentioned once."""
    say: Callable[..., str] = format_html if html else str.format
    if gone == newcomer:
        sentence = (
            _("A moderator gives the seat of {name} to a bot. Reason: {reason}.")
            if is_bot
            else _("A moderator gives the seat of {name} to another player. Reason: {reason}.")
        )
        return say(sentence, name=_named(gone, html), reason=reason)
    sentence = (
        _("A moderator gives the seat of {gone} to the bot {newcomer}. Reason: {reason}.")
        if is_bot
        else _("A moderator gives the seat of {gone} to {newcomer}. Reason: {reason}.")
    )
    return say(sentence, newcomer=_named(newcomer, html), gone=_named(gone, html), reason=reason)


def ruled(kind: str, reason: str) -> str:
    """Return the sentence that a moderator has frozen, thawed, closed or voided the game, and why.

    `reason` is text in the active language.
    """
    return str(_RULED[kind]).format(reason=reason)


def _named(name: str, html: bool) -> str:
    # Not marked with the seat's number, because both names belong to the seat.
    return format_html('<bdi class="name">{}</bdi>', name) if html else name
