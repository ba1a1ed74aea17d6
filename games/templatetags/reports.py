"""What a case's page says of the record."""

from django import template

from games import wording
from games.hints import Hint

register = template.Library()


@register.filter
def hint_told(hint: Hint) -> str:
    return wording.hint_told(hint.sign, hint.rounds, hint.count, hint.of)
