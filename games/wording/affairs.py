"""What a table decides about itself, told in its log."""

from collections.abc import Callable

from django.utils.html import format_html
from django.utils.translation import gettext as _


def replaced(gone: str, newcomer: str, html: bool = False) -> str:
    """That somebody plays on in another's seat; where both are called alike, without the names."""
    say: Callable[..., str] = format_html if html else str.format
    if gone == newcomer:
        sentence = _("The table has given the seat of {name} to another player.")
        return say(sentence, name=_named(gone, html))
    sentence = _("By a vote of the table, {newcomer} takes over the seat of {gone}.")
    return say(sentence, newcomer=_named(newcomer, html), gone=_named(gone, html))


def stopped() -> str:
    """That the table has ended the game."""
    return _("Too many have left. By a vote of the table, the game ends here without a winner.")


def _named(name: str, html: bool) -> str:
    # Not marked as a seat's: the seat has both names.
    return format_html('<bdi class="name">{}</bdi>', name) if html else name
