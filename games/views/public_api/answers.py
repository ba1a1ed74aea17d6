"""How the public API reads a request and answers it."""

import json
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from hashlib import sha256
from typing import Any, Concatenate, Final, ParamSpec

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from config.http.problems import problem

P = ParamSpec("P")
Answer = Callable[Concatenate[HttpRequest, P], dict[str, Any]]
View = Callable[Concatenate[HttpRequest, P], HttpResponse]
# Errors and reasons are for programs, in one language.
LANGUAGE: Final = "en"


class BadParameters(Exception):
    """Raised for parameters that are not valid: pairs of a name and what is wrong."""

    def __init__(self, errors: Sequence[tuple[str, str]]) -> None:
        super().__init__(str(errors))
        self.errors = errors


def public(*, seconds: int, parameters: Iterable[str] = ()) -> Callable[[Answer[P]], View[P]]:
    """Make a view of a function that returns the answer's data.

    Caches may keep the answer for `seconds`. 304 if it is as `If-None-Match` names it, 400 for
    parameters that are not in `parameters`, and 404 if the function raises Http404.
    """
    known = frozenset(parameters)

    def make(answer: Answer[P]) -> View[P]:
        @require_safe
        def view(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            with translation.override(LANGUAGE):
                try:
                    check_known(request, known)
                    data = answer(request, *args, **kwargs)
                except BadParameters as error:
                    response: HttpResponse = problem(400, error.errors)
                except Http404:
                    response = problem(404)
                else:
                    response = kept(request, _json(data), "application/json", seconds)
            response.headers["Content-Language"] = LANGUAGE
            return response

        return wraps(answer)(view)  # type: ignore[return-value]

    return make


def check_known(request: HttpRequest, known: frozenset[str]) -> None:
    """Raise BadParameters for a parameter that the address does not have."""
    unknown = sorted(set(request.GET) - known)
    if unknown:
        raise BadParameters([(name, "There is no such parameter here.") for name in unknown])


def kept(request: HttpRequest, content: bytes, content_type: str, seconds: int) -> HttpResponse:
    """Return the content with an ETag, for any cache to keep, or 304 if the client has it."""
    response = HttpResponse(content, content_type=content_type)
    response.headers["ETag"] = etag = quote_etag(sha256(content).hexdigest()[:32])
    patch_cache_control(response, public=True, max_age=seconds)
    # It may name people: search engines are not meant to keep it.
    response.headers["X-Robots-Tag"] = "noindex"
    return get_conditional_response(request, etag=etag, response=response) or response


def _json(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
