"""The tag that draws the avatars of users."""

from functools import cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.text.avatars import avatar_of

register = template.Library()


@register.simple_tag
def avatar(name: str, css: str = "") -> SafeString:
    """Return the avatar of a user, hidden from screen readers because the name is beside it.

    `css` may be "large".
    """
    drawn = avatar_of(name)
    return format_html(
        '<svg class="person-mark {ink}{css}" viewBox="0 0 64 64" aria-hidden="true" '
        'focusable="false"><use href="{art}#{shape}"/><use href="{art}#{ornament}"/>'
        '<text x="32" y="32"{two}>{initials}</text></svg>',
        ink=drawn.ink,
        css=f" {css}" if css else "",
        art=_art(),
        shape=drawn.shape,
        ornament=drawn.ornament,
        two=SafeString(' class="two"') if len(drawn.initials) > 1 else "",
        initials=drawn.initials,
    )


@cache
def _art() -> str:
    return static("games/marks.svg")
