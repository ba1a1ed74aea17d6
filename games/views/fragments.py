"""Panels on their way to a browser: into a page, or as the fragment of what has changed."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.csrf import get_token
from django.shortcuts import resolve_url
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode

from games.screens import Panel, as_fragment, changed, with_csrf

# The client lists what it shows, so that an answer holds only what has changed.
_HAVE: Final = "X-Panels"
_LONGEST_HAVE: Final = 1000

View = Callable[..., HttpResponse]


def for_page(request: HttpRequest, panels: Mapping[str, Panel]) -> dict[str, Panel]:
    """The panels with the CSRF field in their forms, for a page that works without JavaScript."""
    field = format_html(
        '<input type="hidden" name="csrfmiddlewaretoken" value="{}">', get_token(request)
    )
    return {
        name: replace(panel, html=with_csrf(panel.html, field)) for name, panel in panels.items()
    }


def what_is_new(request: HttpRequest, panels: Mapping[str, Panel]) -> str:
    """The panels that differ from those that the client has, as one fragment; "" for none."""
    pairs = (item.partition(":") for item in request.headers.get(_HAVE, "")[:_LONGEST_HAVE].split())
    have = {name: digest for name, _, digest in pairs}
    return as_fragment(changed(panels, have).values())


def poll_answer(request: HttpRequest, panels: Mapping[str, Panel]) -> HttpResponse:
    """The answer to a quiet poll: 204 where nothing is new."""
    html = what_is_new(request, panels)
    return HttpResponse(html) if html else HttpResponse(status=204)


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
