"""Links for search engines, in a page's head, to the page in each language."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.conf import settings
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.profiles.languages import in_language, linked_language, site_languages
from config.http.origin import site_origin
from config.i18n.pseudo import PSEUDO

register = template.Library()

_HIDDEN = SafeString('<meta name="robots" content="noindex">')


@register.simple_tag(takes_context=True)
def search_links(context: Mapping[str, Any]) -> SafeString:
    """Return the canonical link of this page, and its links in every language.

    Only pages of settings.INDEXED_VIEWS have them; all others get `noindex`, and so do custom rules
    (`is_custom`). URL parameters besides the language, such as those of the lobby's search, are
    left out of the canonical URL unless the view sets `canonical`.
    """
    request = context.get("request")
    if request is None:
        return _HIDDEN
    match = request.resolver_match
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
    """`{% site_origin as origin %}`: the start of absolute URLs, or "" if there may be none."""
    request = context.get("request")
    return site_origin(request) if request is not None else ""
