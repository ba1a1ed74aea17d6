"""Where a page of the account leads on to: a table, and who hosts it."""

from typing import Any

from django import template

from games.selectors import visible_tables

register = template.Library()


@register.simple_tag(takes_context=True)
def host_ahead(context: Any, path: str | None) -> str:
    """Return the host of the table that an address leads to; "" if this visitor may not read it."""
    request = context["request"]
    return visible_tables.host_ahead(path or "", request.user.pk, request.session)
