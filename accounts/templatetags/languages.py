"""What a page's head tells search engines about its languages."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.conf import settings
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.languages import in_language, linked_language, site_languages
from config.language.pseudo import PSEUDO
from config.origin import site_origin

register = template.Library()

_HIDDEN = SafeString('<meta name="robots" content="noindex">')


@register.simple_tag(takes_context=True)
def search_links(context: Mapping[str, Any]) -> SafeString:
    """The address that counts for this page, and its address in every language.

    For pages of settings.INDEXED_VIEWS; all others ask not to be found, and so do rules that
    somebody put together (`is_custom`). What an address asks for beside the language, as the
    lobby's search does, makes no page of its own unless the view says so (`canonical`).
    """
    request = context.get("request")
    match = request.resolver_match if request is not None else None
    if match is None or match.view_name not in settings.INDEXED_VIEWS:
        return _HIDDEN
    if context.get("is_custom"):
        return _HIDDEN
    page = site_origin(request) + context.get("canonical", request.path)
    asked = linked_language(request)
    own = format_html(
        '<link rel="canonical" href="{}">', in_language(page, asked) if asked else page
    )
    others = [(code, in_language(page, code)) for code, _ in site_languages() if code not in PSEUDO]
    links = format_html_join(
        "",
        '<link rel="alternate" hreflang="{}" href="{}">',
        [*others, ("x-default", page)],
    )
    return own + links


@register.simple_tag(name="site_origin", takes_context=True)
def origin_tag(context: Mapping[str, Any]) -> str:
    """`{% site_origin as origin %}`: what absolute addresses begin with; "" where none may."""
    request = context.get("request")
    return site_origin(request) if request is not None else ""
