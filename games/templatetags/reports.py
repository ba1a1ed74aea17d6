"""Links to report pages."""

from functools import lru_cache
from typing import Any, Final

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

# Every seat has a link, in each language in use at its table.
_LINKS_REMEMBERED: Final = 5000


@register.simple_tag
def report_link(**what: Any) -> SafeString:
    """Return a link to the page that reports a user or a thing.

    `code` alone is a table; with `seat_number` a seat of it, with `place` and `nth` a message;
    `person` is a name, apart from any table. `name` is the label. With `words` the link says what
    it does, otherwise it is a flag (report.css).
    """
    # A seat is rendered with every move, and this link took more than half of the time, so it is
    # cached; a message is rendered only once.
    if "nth" in what:
        return _report_link(**what)
    return _remembered_report_link(get_language(), **what)


@lru_cache(_LINKS_REMEMBERED)
def _remembered_report_link(language: str | None, **what: Any) -> SafeString:
    return _report_link(**what)


def _report_link(
    *,
    code: str = "",
    seat_number: int | None = None,
    place: str = "",
    nth: int = 0,
    person: str = "",
    name: str = "",
    words: bool = False,
) -> SafeString:
    if person:
        url = reverse("games:report_person", args=[person])
    elif place:
        url = reverse("games:report_message", args=[code, place, nth])
    elif seat_number is not None:
        url = reverse("games:report_seat", args=[code, seat_number])
    else:
        url = reverse("games:report_table", args=[code])
    shown = {"url": url, "name": name, "words": words}
    return render_to_string("report/_report_link.html", shown)
