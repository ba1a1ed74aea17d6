"""The 429 response: the reason, how long to wait, and all the user's input."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from accounts.throttling.limits import too_many_requests_sentence, when_to_try_again
from config.http.csrf import has_passed_csrf

_WAIT: Final = "_limit_wait"
_NOT_SENT_AGAIN: Final = ("csrfmiddlewaretoken",)


@never_cache
def refuse(request: HttpRequest, seconds: int) -> HttpResponse:
    """Return the 429 response.

    htmx gets a notice and leaves the page as it is. A browser gets a page that can send the posted
    data again.
    """
    if request.headers.get("HX-Request"):
        sentence = {"sentence": too_many_requests_sentence(seconds)}
        response = render(request, "_too_much.html", sentence, status=429)
    else:
        # During a flood, query the database for no more than the user.
        context: dict[str, Any] = {
            "when": when_to_try_again(seconds),
            "unread_notifications": 0,
            "called": None,
            "is_moderator": False,
            "has_failed": True,
            **_again(request),
        }
        response = render(request, "429.html", context, status=429)
    response.headers["Retry-After"] = str(seconds)
    return response


def note_wait(request: HttpRequest, seconds: int) -> None:
    """Mark a request whose form is about to come back with a refusal, which makes it a 429."""
    setattr(request, _WAIT, seconds)


def wait_of(request: HttpRequest) -> int | None:
    """Return the seconds that `note_wait` set, or None."""
    return getattr(request, _WAIT, None)


def _again(request: HttpRequest) -> dict[str, Any]:
    """Return the fields of a POST, for a form that sends them again.

    Passwords are left out, and the form asks for them again.
    """
    if request.method != "POST" or not has_passed_csrf(request):
        return {}
    fields = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name not in _NOT_SENT_AGAIN
    ]
    return {
        "is_post": True,
        # Where the forms in the page's header return to, since this URL may accept only POST.
        "here": "/",
        "fields": [(name, value) for name, value in fields if not _is_secret(name)],
        "secrets": [name for name, _ in fields if _is_secret(name)],
    }


def _is_secret(name: str) -> bool:
    return "password" in name.lower()
