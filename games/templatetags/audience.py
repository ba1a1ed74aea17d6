"""The audiences of the parts of a user's page."""

from django import template

from accounts.profiles.choices import Audience
from games.panels.profile import PersonPage

register = template.Library()


@register.simple_tag
def shown_to(page: PersonPage, part: str) -> str:
    """Return a part's audience in a word, for the page's owner."""
    return str(Audience(page.shown_to[part]).label)
