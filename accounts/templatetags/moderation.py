"""Template tags of the moderators' pages."""

from typing import Any

from django import template

from accounts.auth.roles import Rank, rank

register = template.Library()


@register.simple_tag(takes_context=True)
def rank_here(context: dict[str, Any]) -> int:
    """Return the reader's rank as a number: 1 moderator, 2 senior moderator, 3 admin."""
    return int(rank(context["request"].user)) if "request" in context else int(Rank.PERSON)
