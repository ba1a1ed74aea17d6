"""Panels: pieces of a page that are rendered, compared, and sent by themselves."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import mark_safe

# A page puts the CSRF field where a panel leaves this mark. Frames keep the mark, htmx sends
# the token in a header, and a panel is the same bytes wherever it is rendered.
CSRF_MARK: Final = mark_safe("<!--csrf-->")

Person = AbstractBaseUser | AnonymousUser


@dataclass(frozen=True, slots=True)
class Panel:
    name: str
    html: str
    digest: str
    # The catalog that it speaks; its frame is labelled in the same.
    voice: str


def voice(language: str, edition: str) -> str:
    """The catalog in which `language` speaks at a table of `edition`."""
    return settings.VOICES.get((language, edition), language)


def render(template: str, context: Mapping[str, Any], *, name: str = "") -> Panel:
    html = render_to_string(f"games/_{template}.html", dict(context))
    digest = blake2b(html.encode(), digest_size=8).hexdigest()
    return Panel(name or template, html, digest, translation.get_language() or "")


def changed(panels: Mapping[str, Panel], have: Mapping[str, str]) -> dict[str, Panel]:
    """The panels whose digest is not the one that the client has."""
    return {name: panel for name, panel in panels.items() if have.get(name) != panel.digest}


def with_csrf(html: str, field: str) -> str:
    """A panel for a page: its forms carry the CSRF `field` and work without JavaScript."""
    return mark_safe(html.replace(CSRF_MARK, field))  # noqa: S308  rendered by templates


def as_fragment(panels: Iterable[Panel]) -> str:
    """Panels as one piece of HTML that htmx swaps in by their ids, out of band."""
    parts = []
    for panel in panels:
        with translation.override(panel.voice):
            parts.append(render_to_string("games/_swap.html", {"panel": panel}))
    return "".join(parts)
