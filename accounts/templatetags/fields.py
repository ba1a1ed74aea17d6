"""Template filters for a form's fields, and for codes that users copy by hand."""

from django import template
from django.forms import BoundField

register = template.Library()


@register.filter
def bare(field: BoundField) -> str:
    """Remove the field's placeholder, and return "".

    allauth's placeholders only repeat the label, and look like text that was typed already.
    """
    field.field.widget.attrs.pop("placeholder", None)
    return ""


@register.filter
def fours(text: str) -> list[str]:
    """Split a text into groups of four, which are easier to read.

    >>> fours("ABCDEFGHIJ")
    ['ABCD', 'EFGH', 'IJ']
    """
    return [text[place : place + 4] for place in range(0, len(text), 4)]
