"""How a form's fields are drawn, and what is to be copied by hand."""

from django import template
from django.forms import BoundField

register = template.Library()


@register.filter
def bare(field: BoundField) -> str:
    """Nothing, and no placeholder in the field: allauth's only say the label again, and look
    like something that was typed already."""
    field.field.widget.attrs.pop("placeholder", None)
    return ""


@register.filter
def fours(text: str) -> list[str]:
    """In groups that an eye can hold.

    >>> fours("ABCDEFGHIJ")
    ['ABCD', 'EFGH', 'IJ']
    """
    return [text[place : place + 4] for place in range(0, len(text), 4)]
