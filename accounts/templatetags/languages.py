"""What a page's head tells search engines about its languages."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.languages import in_language, linked_language, site_languages
from config.language.pseudo import PSEUDO

register = template.Library()

_HIDDEN = SafeString('<meta name="robots" content="noindex">')


@register.simple_tag(takes_context=True)
def search_links(context: Mapping[str, Any]) -> SafeString:
    """The address that counts for this page, and its address in every language.

    For pages of settings.INDEXED_VIEWS; all others ask not to be found. What an address asks
    for beside the language, as the lobby's search does, makes no page of its own.
    """
    request = context.get("request")
    match = request.resolver_match if request is not None else None
    if match is None or match.view_name not in settings.INDEXED_VIEWS:
        return _HIDDEN
    page = _origin(request) + request.path
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


def _origin(request: HttpRequest) -> str:
    return settings.SITE_ORIGIN or f"{request.scheme}://{request.get_host()}"
