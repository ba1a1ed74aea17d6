"""How a form's fields are drawn."""

from django import template
from django.forms import BoundField

register = template.Library()


@register.filter
def bare(field: BoundField) -> str:
    """Nothing, and no placeholder in the field: allauth's only say the label again, and look
    like something that was typed already."""
    field.field.widget.attrs.pop("placeholder", None)
    return ""
