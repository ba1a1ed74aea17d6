"""The public rulebook: the editions, the full rules of each, and comparisons."""

import re
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from accounts.auth.requests import HtmxRequest
from games import wording
from games.panels import locale_for
from games.rulebook import (
    LANGUAGES,
    NO_WORD,
    TERMS,
    book_of,
    book_url,
    compared_options,
    comparison_url,
    differing,
    differing_options,
    document,
    read_rules,
    short_rules,
    values_of,
    written,
)
from games.rules.editions import EDITIONS, Options
from games.rules.powers import Power
from games.views.lobby import edition_for

# Enough for the editions in five languages, and some with house rules.
_KEPT: Final = 64
# A page has its CSRF token in one or two forms, masked differently each time for the same cookie.
_TOKEN: Final = re.compile(rb'(name="csrfmiddlewaretoken" value="|X-CSRFToken": ")\w+')


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Tell the short rules of the reader's edition, and describe all editions, that one first."""
    own = edition_for(get_language() or "")
    editions = sorted(EDITIONS, key=lambda edition: not edition.startswith(own))
    shelves = [
        {
            "edition": edition,
            "document": document(edition),
            "players": EDITIONS[edition].players,
            "differences": compared_options(EDITIONS[own], EDITIONS[edition]),
            "compare_url": comparison_url(own, edition),
        }
        for edition in editions
    ]
    context = {"shelves": shelves, "own": own, "book": short_rules(own, EDITIONS[own])}
    return _kept(request, render(request, "rulebook/index.html", context))


@require_safe
def book(request: HttpRequest, edition: str) -> HttpResponse:
    """Show the full rules of an edition, with house rules from the query string."""
    if edition not in EDITIONS:
        raise Http404
    options, understood = read_rules(request.GET.dict(), edition)
    locale = locale_for(get_language() or "", edition)
    context = {
        "edition": edition,
        "article": _article(locale, edition, options),
        "is_custom": options != EDITIONS[edition],
        "understood": understood,
        "canonical": book_url(edition),
    }
    return _kept(request, render(request, "rulebook/book.html", context))


@require_safe
def marks(request: HtmxRequest, edition: str) -> HttpResponse:
    """Explain the marks at seats and on the board, for htmx without the page around."""
    if edition not in EDITIONS:
        raise Http404
    template = "games/_legend.html" if request.htmx else "rulebook/marks.html"
    with translation.override(locale_for(get_language() or "", edition)):
        investigates = EDITIONS[edition].has_power(Power.INVESTIGATION)
        response = render(request, template, {"may_investigate": investigates})
    patch_vary_headers(response, ["HX-Request"])
    return _kept(request, response)


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """Compare two editions, `a` and `b`; house rules in the query string apply to `b`."""
    own = edition_for(get_language() or "")
    one = request.GET.get("a", own)
    other = request.GET.get("b", "it" if one != "it" else "en")
    if one not in EDITIONS or other not in EDITIONS:
        raise Http404
    options, understood = read_rules(request.GET.dict(), other)
    locale = get_language() or ""
    with translation.override(locale_for(locale, one)):
        first = book_of(one, EDITIONS[one])
    with translation.override(locale_for(locale, other)):
        second = book_of(other, options)
    names = differing_options(first.options, second.options)
    with translation.override(locale_for(locale, one)):
        values = values_of(names, first.options)
    with translation.override(locale_for(locale, other)):
        other_values = values_of(names, second.options)
    with translation.override(locale_for(locale, one) if one == other else locale):
        labels = [wording.option_name(name) for name in names]
    context = {
        "one": first,
        "other": second,
        "editions": list(EDITIONS),
        "options": list(zip(labels, values, other_values, strict=True)),
        "differences": differing(first, second),
        "is_custom": bool(second.house_rules),
        "house_rules": [(name, written(value)) for name, value in second.house_rules],
        "one_url": book_url(one),
        "other_url": book_url(other, second.house_rules),
        "understood": understood,
        "canonical": comparison_url(one, other),
    }
    return _kept(request, render(request, "rulebook/compare.html", context))


@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    """Show the words of the game in five languages."""
    own = edition_for(get_language() or "")
    # Readers look a word up in their own language, if its document has one.
    languages = sorted(LANGUAGES, key=lambda language: language != own)
    rows = [
        (term.anchor, [(language, term.word(language)) for language in languages])
        for term in TERMS
        if term.word(own) != NO_WORD
    ]
    context = {
        "rows": rows,
        "languages": languages,
        "own": own,
    }
    return _kept(request, render(request, "rulebook/glossary.html", context))


@lru_cache(maxsize=_KEPT)
def _article(locale: str, edition: str, options: Options) -> SafeString:
    """Return the rules as HTML, the same for all readers of that locale."""
    with translation.override(locale):
        context: dict[str, Any] = {"book": book_of(edition, options)}
        html = render_to_string("rulebook/_book.html", context)
    return mark_safe(html)  # noqa: S308  rendered by a template


def _kept(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let the browsers of anonymous users keep the page and revalidate it.

    For signed-in users nothing is kept, because the page shows their name and a bell. The ETag is
    made of the page's bytes without the CSRF tokens, and of the cookie that the tokens belong to.
    """
    if request.user.is_authenticated:
        return response
    digest = blake2b(_TOKEN.sub(rb"\1", response.content), digest_size=12)
    digest.update(str(request.META.get("CSRF_COOKIE", "")).encode())
    response.headers["ETag"] = f'"{digest.hexdigest()}"'
    response.headers["Cache-Control"] = "private, no-cache"
    answer = get_conditional_response(request, etag=response.headers["ETag"], response=response)
    assert answer is not None
    return answer
