"""Bounds on all incoming text: one rule for paths, queries, forms, cookies and JSON.

Some work on text is quadratic. Unicode normalization, for example, sorts combining marks and
holds the interpreter's lock meanwhile: 64 KB of them take seconds. So nothing but `len` touches
a text before it is known to be short.

`BoundsMiddleware` applies the rule to requests. Sockets read with `read_json`, which applies
the same rule to their messages. A form's own `max_length` is narrower and gives an error
beside the field. Code that normalizes text calls `bounded` first, in case text gets in another way.
"""

import json
import re
from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any, Final

import regex
from django.conf import settings
from django.core.exceptions import BadRequest
from django.db import DataError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

# A form field. The longest text that the site keeps, a table's notes, has 16,000 code points.
LONGEST_TEXT: Final = 20_000
# A value in a query, a part of a path, or the name of a field.
LONGEST_PARAMETER: Final = 1_000
LONGEST_SEGMENT: Final = 200
LONGEST_PATH: Final = 2_000
LONGEST_FIELD_NAME: Final = 200
# Addresses in forms: urllib normalizes the host of each.
_LONGEST_FIELDS: Final = {"next": LONGEST_PARAMETER}
# Browsers keep no cookies longer than this.
LONGEST_COOKIE: Final = 4_096
# How deep lists and objects may be nested. A passkey's answer has four levels.
DEEPEST_JSON: Final = 32

# PostgreSQL stores no NUL, and UTF-8 cannot encode a lone surrogate.
_UNFIT: Final = re.compile("[\0\ud800-\udfff]")
# Everything in a JSON text except the brackets that nest: strings, up to the end if they are not
# closed, and the rest. It matches from any quotation mark at once, so no text is scanned twice.
_NOT_NESTING: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|[^"\[\]{}]+', re.DOTALL)
_ONE_KIND: Final = str.maketrans("{}", "[]")

_GRAPHEME: Final = regex.compile(r"\X")
_FLAG: Final = regex.compile("[\U0001f1e6-\U0001f1ff]{2}")


class TooLong(BadRequest):
    """Raised for a text longer than its bound. If no view handles it, the answer is 400."""


def bounded(text: str, longest: int) -> str:
    """Return the text unchanged. Raises TooLong."""
    if len(text) > longest:
        raise TooLong(f"{len(text)} characters where {longest} may be")
    return text


def is_fit(text: str) -> bool:
    """Return whether the text has no NUL and no lone surrogate, so that any database stores it."""
    return _UNFIT.search(text) is None


def count_graphemes(text: str) -> int:
    """Return the number of characters that readers see, in linear time.

    To find whether a regional indicator begins a flag, `regex` counts all indicators before it,
    so 20,000 of them take six seconds. Here each flag is replaced by a letter first.
    >>> count_graphemes("e\\u0301👩\\u200d🔬🇯🇵🇵🇱🇮")
    5
    """
    return len(_GRAPHEME.findall(_FLAG.sub("F", text)))


# JSON -----------------------------------------------------------------------------------------


class BoundedDecoder(json.JSONDecoder):
    """Decodes untrusted JSON. Raises json.JSONDecodeError for everything that it rejects.

    It refuses texts that are too long or too deep, numbers that JSON does not have, and strings
    that a database cannot store. It checks the depth first, because the parser is recursive.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(parse_constant=_refuse, parse_float=_finite, **kwargs)

    def decode(self, s: str, *args: Any) -> Any:
        if len(s) > LONGEST_TEXT:
            raise json.JSONDecodeError("Too long", "", 0)
        if _is_deep(s):
            raise json.JSONDecodeError("Too deep", "", 0)
        try:
            value = super().decode(s, *args)
        except json.JSONDecodeError:
            raise
        except (ValueError, RecursionError):
            # Python raises a plain ValueError for an integer with thousands of digits.
            raise json.JSONDecodeError("Not readable", "", 0) from None
        if not all(is_fit(text) for text in _strings(value)):
            raise json.JSONDecodeError("Unfit characters", "", 0)
        return value


def read_json(text: str) -> Any:
    """Return the value of a JSON text from outside. Raises json.JSONDecodeError."""
    return json.loads(text, cls=BoundedDecoder)


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError(digits)
    return number


def _is_deep(text: str) -> bool:
    """Return whether brackets are nested deeper than JSON may be here, or do not match."""
    brackets = _NOT_NESTING.sub("", text).translate(_ONE_KIND)
    for _ in range(DEEPEST_JSON):
        # Each pass removes the innermost level.
        brackets = brackets.replace("[]", "")
    return bool(brackets)


def _strings(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, str):
            yield here
        elif isinstance(here, dict):
            yield from here
            waiting += here.values()
        elif isinstance(here, list):
            waiting += here


# Requests -------------------------------------------------------------------------------------


class BoundsMiddleware:
    """Rejects requests with a text over its bound, before anything else reads it.

    A path that is too long is answered with 404, other texts with a page that says so (413).
    NUL and lone surrogates are answered with 404 in a path and with 400 in a query. In a form the
    field shows its own error; if a view passes such a field to the database, the answer is 400.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        path = request.path_info
        if len(path) > LONGEST_PATH or not is_fit(path):
            raise Http404
        if any(len(part) > LONGEST_SEGMENT for part in path.split("/")):
            raise Http404
        if _is_over(request.GET, LONGEST_PARAMETER):
            return _refused(request)
        if not all(is_fit(value) for value in _values(request.GET)):
            raise BadRequest("a NUL or a lone surrogate in the address")
        # A record is parsed as JSON, which takes time in proportion to its length.
        is_upload = path in settings.UPLOAD_PATHS
        longest = settings.LARGEST_UPLOAD if is_upload else LONGEST_TEXT
        if request.method == "POST" and _is_over(request.POST, longest):
            return _refused(request)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> None:
        """Turn the error of a database that cannot store a text into a 400."""
        if isinstance(exception, DataError | UnicodeError) and not all(
            is_fit(value) for value in _values(request.POST)
        ):
            raise BadRequest("a NUL or a lone surrogate in a field") from exception


def drop_long_cookies(request: HttpRequest) -> None:
    """Remove cookies longer than any browser keeps, so that nothing reads them."""
    for name in [n for n, value in request.COOKIES.items() if len(value) > LONGEST_COOKIE]:
        del request.COOKIES[name]


def _is_over(data: Any, longest: int) -> bool:
    return any(
        len(name) > LONGEST_FIELD_NAME
        or any(len(value) > _LONGEST_FIELDS.get(name, longest) for value in values)
        for name, values in data.lists()
    )


def _values(data: Any) -> Iterator[str]:
    for _, values in data.lists():
        yield from values


def _refused(request: HttpRequest) -> HttpResponse:
    """Return the answer 413. htmx gets a notice, and the page stays with all that was typed."""
    if request.headers.get("HX-Request"):
        notice = {"sentence": gettext("That text is too long. Shorten it and try again.")}
        return render(request, "_too_much.html", notice, status=413)
    # A flood of these must cost the database no more than the look-up of the user.
    page = {
        "has_failed": True,
        "here": "/",
        "unread_notifications": 0,
        "called": None,
        "is_moderator": False,
    }
    return render(request, "413.html", page, status=413)
