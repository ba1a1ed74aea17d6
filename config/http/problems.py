"""Errors of the public API as application/problem+json (RFC 9457). In English, for programs."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Final

from django.http import JsonResponse

CONTENT_TYPE: Final = "application/problem+json"
_DETAILS: Final = {
    400: "The request is not valid.",
    404: "There is nothing public at this address.",
    405: "Use GET or HEAD.",
    413: "A part of the address is too long.",
    429: "Too many requests from your address. Retry-After says how many seconds to wait.",
    500: "The server failed. The error has been logged.",
}


def problem(status: int, errors: Sequence[tuple[str, str]] = ()) -> JsonResponse:
    """Return the answer for an error. `errors` are pairs of a parameter and what is wrong."""
    title = HTTPStatus(status).phrase
    data: dict[str, object] = {
        "type": "about:blank",
        "title": title,
        "status": status,
        "detail": _DETAILS.get(status, f"{title}."),
    }
    if errors:
        data["errors"] = [{"parameter": name, "detail": detail} for name, detail in errors]
    response = JsonResponse(data, status=status, content_type=CONTENT_TYPE)
    response.headers["Cache-Control"] = "no-store"
    return response
