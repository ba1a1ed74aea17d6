"""Panels on their way to a browser: into a page, or as the fragment of what has changed."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.csrf import get_token
from django.shortcuts import resolve_url
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from games.screens import Difference, Panel, difference, framed, signature_of, with_csrf

# The client lists what it shows, so that an answer holds only what has changed.
_PANELS: Final = "X-Panels"
_LONGEST_HAVE: Final = 1000

View = Callable[..., HttpResponse]


def for_page(request: HttpRequest, panels: Mapping[str, Panel]) -> dict[str, SafeString]:
    """The panels as a page has them, whose forms work without JavaScript."""
    field = format_html(
        '<input type="hidden" name="csrfmiddlewaretoken" value="{}">', get_token(request)
    )
    return {name: framed(panel, with_csrf(panel.html, field)) for name, panel in panels.items()}


def what_is_new(request: HttpRequest, panels: Mapping[str, Panel]) -> Difference:
    """How the panels differ from those that the client has."""
    pairs = (
        item.partition(":") for item in request.headers.get(_PANELS, "")[:_LONGEST_HAVE].split()
    )
    return difference(panels, {name: signature_of(digest) for name, _, digest in pairs})


def fragment(new: Difference, more: str = "", status: int = 200) -> HttpResponse:
    """An answer for htmx: what to swap in, and the digests that the panels have then."""
    response = HttpResponse(new.html + more, status=status)
    response[_PANELS] = " ".join(f"{name}:{digest}" for name, digest in new.digests.items())
    return response


def poll_answer(request: HttpRequest, panels: Mapping[str, Panel]) -> HttpResponse:
    """The answer to a quiet poll: 204 where nothing is new."""
    new = what_is_new(request, panels)
    return fragment(new) if new else HttpResponse(status=204)


def go(request: HttpRequest, url: str) -> HttpResponse:
    """To another page, for htmx and for a plain form."""
    if request.htmx:
        return HttpResponse(headers={"HX-Redirect": url})
    return HttpResponseRedirect(url, status=303)


def sign_in_first(view: View) -> View:
    """Sends strangers to sign in, and afterwards to the page where the button stands."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: str, **kwargs: str) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if request.method == "GET":
            back = request.path
        elif "code" in kwargs:
            back = reverse("games:table", args=[kwargs["code"]])
        else:
            back = reverse("games:lobby")
        return go(request, f"{resolve_url('account_login')}?{urlencode({'next': back})}")

    return wrapper
