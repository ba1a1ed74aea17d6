"""The public API: how it reads a request, answers it, and describes itself."""

import json
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from hashlib import sha256
from typing import Any, Final, TypeVar

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils import translation
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe
from ninja import NinjaAPI
from ninja.errors import ValidationError
from ninja.renderers import BaseRenderer
from pydantic import BaseModel

from config.http.problems import CONTENT_TYPE, problem
from games.views.public_api.answers import Problem

View = TypeVar("View", bound=Callable[..., Any])
# Errors and reasons are for programs, in one language.
LANGUAGE: Final = "en"
_MINUTE: Final = 60
_PROBLEMS: Final = {
    400: "A parameter is not valid: `errors` says which, and why.",
    404: "Nothing public is here.",
    429: "Too many requests from this address: wait as long as Retry-After says.",
}


# By the name of a URL: makes the view that Django calls of the library's.
_SERVED: Final[dict[str, Callable[[Callable[..., HttpResponse]], Any]]] = {}


class BadParameters(Exception):
    """Raised for parameters that are not valid: pairs of a name and what is wrong."""

    def __init__(self, errors: Sequence[tuple[str, str]]) -> None:
        super().__init__(str(errors))
        self.errors = errors


class _Renderer(BaseRenderer):
    media_type = "application/json"

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> str:
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


api: Final = NinjaAPI(
    title="Chancellery",
    version="1",
    description=(
        "What everyone may see of finished games, as JSON. No key is needed, and cookies and tokens"
        " are ignored. Each answer has an ETag: send it in If-None-Match, and an unchanged answer"
        " is 304. Errors are application/problem+json (RFC 9457). A game that is running, private"
        " or unknown answers 404, and so does a page that its owner does not show to everyone."
        " Names stand only where their owners show their games to everyone. Times are in UTC."
    ),
    # It has no pages of its own, and `routes` serves the document.
    docs_url=None,
    openapi_url=None,
    renderer=_Renderer(),
)


@api.exception_handler(Http404)
def _not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return problem(404)


@api.exception_handler(BadParameters)
def _bad_parameters(request: HttpRequest, error: BadParameters) -> HttpResponse:
    return problem(400, error.errors)


@api.exception_handler(ValidationError)
def _not_valid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    # The last name of a place is the parameter's; a number of a list's item may follow.
    names = [[part for part in each["loc"] if isinstance(part, str)][-1] for each in error.errors]
    return problem(
        400, [(name, each["msg"]) for name, each in zip(names, error.errors, strict=True)]
    )


def route(
    where: str, answer: Any, asked: type[BaseModel] = BaseModel, *, seconds: int = _MINUTE
) -> Callable[[View], View]:
    """Add a function to the API that returns what the model `answer` is made of.

    Parameters that `asked` does not have are refused. Caches may keep the answer for `seconds`.
    """

    def add(view: View) -> View:
        name = view.__name__
        _SERVED[f"v1_{name}"] = partial(_served, frozenset(asked.model_fields), seconds)
        return api.api_operation(
            ["GET", "HEAD"], where, response=answer, operation_id=name, url_name=f"v1_{name}"
        )(view)

    return add


@lru_cache(maxsize=8)
def document(origin: str) -> dict[str, Any]:
    """Return the OpenAPI document for the API at this origin."""
    found: dict[str, Any] = api.get_openapi_schema(path_prefix="")
    for where, methods in found["paths"].items():
        del methods["head"]
        responses = methods["get"]["responses"]
        responses[200]["headers"] = {"ETag": {"schema": {"type": "string"}}}
        responses[304] = {"description": "The answer is as `If-None-Match` names it."}
        # An address without a path parameter always has an answer.
        for status in (each for each in _PROBLEMS if each != 404 or "{" in where):
            responses[status] = {"$ref": f"#/components/responses/Problem{status}"}
    schema = {"schema": {"$ref": "#/components/schemas/Problem"}}
    problems = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    found["components"]["schemas"] |= problems.pop("$defs") | {"Problem": problems}
    found["components"]["responses"] = {
        f"Problem{status}": {"description": description, "content": {CONTENT_TYPE: schema}}
        for status, description in _PROBLEMS.items()
    }
    return found | {"servers": [{"url": f"{origin}/api/v1"}]}


def urls() -> list[URLPattern]:
    """Return the addresses of the API. No route can be added after this."""
    return [
        path(str(each.pattern), _SERVED[each.name](each.callback), name=each.name)
        for each in api.urls[0]
        if isinstance(each, URLPattern) and each.name in _SERVED
    ]


def _served(known: frozenset[str], seconds: int, view: Callable[..., HttpResponse]) -> Any:
    """Return the view with what all answers share."""

    @require_safe
    def served(request: HttpRequest, **arguments: str) -> HttpResponse:
        with translation.override(LANGUAGE):
            try:
                check_known(request, known)
                response = view(request, **arguments)
            except BadParameters as error:
                response = problem(400, error.errors)
        if response.status_code == 200:
            response = kept(request, response.content, "application/json", seconds)
        response.headers["Content-Language"] = LANGUAGE
        return response

    return served


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
