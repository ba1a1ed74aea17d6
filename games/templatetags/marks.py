"""The tag that draws users' marks."""

from functools import cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.marks import mark_of

register = template.Library()


@register.simple_tag
def person_mark(name: str, css: str = "") -> SafeString:
    """Return a user's mark, hidden from screen readers because the name is beside it.

    `css` may be "large".
    """
    mark = mark_of(name)
    return format_html(
        '<svg class="person-mark {ink}{css}" viewBox="0 0 64 64" aria-hidden="true" '
        'focusable="false"><use href="{art}#{shape}"/><use href="{art}#{ornament}"/>'
        '<text x="32" y="32"{two}>{initials}</text></svg>',
        ink=mark.ink,
        css=f" {css}" if css else "",
        art=_art(),
        shape=mark.shape,
        ornament=mark.ornament,
        two=SafeString(' class="two"') if len(mark.initials) > 1 else "",
        initials=mark.initials,
    )


@cache
def _art() -> str:
    return static("games/marks.svg")
