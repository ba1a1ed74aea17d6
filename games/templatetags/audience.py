"""Who sees the parts of somebody's page."""

from django import template

from accounts.choices import Audience
from games.screens.person import PersonPage

register = template.Library()


@register.simple_tag
def shown_to(page: PersonPage, part: str) -> str:
    """In a word, for the page's owner."""
    return str(Audience(page.shown_to[part]).label)
