"""Middleware for every request: request ID, access log, timing and default headers."""

import re
import secrets
from collections.abc import Callable
from time import perf_counter
from typing import Any, Final

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from structlog.contextvars import bind_contextvars, clear_contextvars

from config.observability.metrics import ACTION_SECONDS, REQUEST_SECONDS

Next = Callable[[HttpRequest], HttpResponse]

_REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
_TABLE_CODE = re.compile(r"[0-9a-z]{8}")
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_MOVE: Final = "games:act"

access = structlog.get_logger("access")


class RequestMiddleware:
    """Gives each request an ID, and records its result in the log and the metrics.

    It is the outermost middleware, so that it sees every response. The ID comes from a trusted
    proxy if it sends one, and is returned in `X-Request-ID`. Every log line of the request has it.
    """

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = perf_counter()
        number = _request_id(request)
        # The thread may still have the variables of an earlier request.
        clear_contextvars()
        bind_contextvars(request_id=number)
        try:
            response = self.get_response(request)
            response.headers["X-Request-ID"] = number
            self._tell(request, response.status_code, perf_counter() - started)
            return response
        finally:
            clear_contextvars()

    def process_view(
        self, request: HttpRequest, view: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        """Add the user and the table to the log's context; both are known from here on."""
        user = _user_of(request)
        if user is not None and user.is_authenticated:
            bind_contextvars(user=user.pk)
        # Only well-formed codes: the URL may contain any text.
        code = kwargs.get("code", "")
        if _TABLE_CODE.fullmatch(code):
            bind_contextvars(table=code)

    def _tell(self, request: HttpRequest, status: int, seconds: float) -> None:
        match = request.resolver_match
        if match is not None:
            route = match.view_name or "unnamed"
        else:
            # WhiteNoise answers before Django resolves the URL.
            is_static = request.path.startswith(settings.STATIC_URL) and status < 400
            route = "static" if is_static else "unknown"
        method = request.method if request.method in _METHODS else "other"
        REQUEST_SECONDS.labels(route, method, status).observe(seconds)
        if route == _MOVE and status < 500 and method == "POST":
            ACTION_SECONDS.labels("accepted" if status < 400 else "refused").observe(seconds)
        if settings.ACCESS_LOG:
            level = "debug" if route == "static" else "info"
            getattr(access, level)(
                "request", method=method, route=route, status=status, ms=round(seconds * 1000, 1)
            )


def _request_id(request: HttpRequest) -> str:
    if settings.TRUSTED_PROXIES:
        sent = request.headers.get("X-Request-ID", "")
        if _REQUEST_ID.fullmatch(sent):
            return sent
    return secrets.token_hex(8)


def _user_of(request: HttpRequest) -> Any:
    # Only a user who is loaded already: logging must not query the database.
    return getattr(request, "_cached_user", None)


class KeptPrivateMiddleware:
    """Forbids caching responses and embedding them elsewhere, unless a response says otherwise.

    Static files set their own `Cache-Control`.
    """

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        response.headers.setdefault("Cache-Control", "no-store")
        return response
