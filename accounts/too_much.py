"""The answer 429: why, for how long, and with all that was typed."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from accounts.limits import too_much_sentence, when_to_try_again

_WAIT: Final = "_limit_wait"
_NOT_SENT_AGAIN: Final = ("csrfmiddlewaretoken",)


@never_cache
def refuse(request: HttpRequest, seconds: int) -> HttpResponse:
    """htmx gets a notice and leaves the page as it is; a browser gets a page from which what was
    posted can be sent again."""
    if request.headers.get("HX-Request"):
        context = {"sentence": too_much_sentence(seconds)}
        response = render(request, "_too_much.html", context, status=429)
    else:
        # A flood is not to ask the database for more than who it is.
        context = {
            "when": when_to_try_again(seconds),
            "unread_notifications": 0,
            "is_moderator": False,
            "has_failed": True,
            **_again(request),
        }
        response = render(request, "429.html", context, status=429)
    response.headers["Retry-After"] = str(seconds)
    return response


def note_wait(request: HttpRequest, seconds: int) -> None:
    """A form is about to come back with a refusal: its answer is a 429."""
    setattr(request, _WAIT, seconds)


def wait_of(request: HttpRequest) -> int | None:
    """The seconds that `note_wait` noted, or None."""
    return getattr(request, _WAIT, None)


def _again(request: HttpRequest) -> dict[str, Any]:
    """The fields of a post, for a form that sends them once more; passwords are asked for anew."""
    if request.method != "POST":
        return {}
    fields = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name not in _NOT_SENT_AGAIN
    ]
    return {
        "is_post": True,
        # Where the header's own form comes back to: this address may take posts only.
        "here": "/",
        "fields": [(name, value) for name, value in fields if not _is_secret(name)],
        "secrets": [name for name, _ in fields if _is_secret(name)],
    }


def _is_secret(name: str) -> bool:
    return "password" in name.lower()
