"""Panels in responses: as part of a whole page, or as a fragment of what has changed."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.csrf import get_token
from django.shortcuts import resolve_url
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from accounts.auth.requests import HtmxRequest
from games.panels import (
    Difference,
    Panel,
    difference,
    framed,
    opening,
    rest,
    signature_of,
    with_csrf,
)

# The client sends the digests of its panels, so that a response holds only what has changed.
_PANELS: Final = "X-Panels"
_LONGEST_HAVE: Final = 1000
# The client sends this while its socket is open, and an answer without panels returns it.
_LIVE: Final = "X-Live"
# The panel that the rows in a response belong to, and its digest then.
_REST: Final = "X-Rest"

View = Callable[..., HttpResponse]


def for_page(
    request: HttpRequest, panels: Mapping[str, Panel], *, opens: str = ""
) -> dict[str, SafeString]:
    """Return the panels for a whole page, with forms that work without JavaScript.

    `opens` is the code of a table whose page leaves what is not seen at first for later.
    """
    field = _csrf_field(request)
    return {
        name: framed(panel, with_csrf(opening(panel, opens) if opens else panel.html, field))
        for name, panel in panels.items()
    }


def rest_answer(
    request: HttpRequest, panels: Mapping[str, Panel], code: str, name: str
) -> HttpResponse:
    """Answer a link that a page has in the place of older rows.

    The page asks anew if its panel has another digest by then (live.js).
    """
    panel = panels.get(name)
    html = None if panel is None else rest(panel, code, request.GET.get("after", ""))
    if panel is None or html is None:
        raise Http404
    answer = HttpResponse(with_csrf(html, _csrf_field(request)))
    answer[_REST] = f"{name}:{panel.digest}"
    return answer


def _csrf_field(request: HttpRequest) -> SafeString:
    return format_html(
        '<input type="hidden" name="csrfmiddlewaretoken" value="{}">', get_token(request)
    )


def what_is_new(request: HttpRequest, panels: Mapping[str, Panel]) -> Difference:
    """Return how the panels differ from the client's."""
    pairs = (
        item.partition(":") for item in request.headers.get(_PANELS, "")[:_LONGEST_HAVE].split()
    )
    return difference(panels, {name: signature_of(digest) for name, _, digest in pairs})


def is_live(request: HttpRequest) -> bool:
    """Return whether frames will bring the client what this request changes.

    An answer with panels could overtake a frame, or be overtaken, and the client would have to ask
    which of the two is newer.
    """
    return _LIVE in request.headers


def by_frame(html: str, status: int = 200) -> HttpResponse:
    """Return a response for htmx without panels. The client asks for them if no frame comes."""
    return HttpResponse(html, status=status, headers={_LIVE: "frame"})


def fragment(new: Difference, more: str = "", status: int = 200) -> HttpResponse:
    """Return a response for htmx: what to swap in, and the new digests of the panels."""
    response = HttpResponse(new.html + more, status=status)
    response[_PANELS] = " ".join(f"{name}:{digest}" for name, digest in new.digests.items())
    return response


def poll_answer(request: HttpRequest, panels: Mapping[str, Panel]) -> HttpResponse:
    """Answer a quiet poll: 204 if nothing is new."""
    new = what_is_new(request, panels)
    return fragment(new) if new else HttpResponse(status=204)


def go(request: HtmxRequest, url: str) -> HttpResponse:
    """Redirect to another page, for htmx and for plain forms."""
    if request.htmx:
        return HttpResponse(headers={"HX-Redirect": url})
    return HttpResponseRedirect(url, status=303)


def sign_in_first(view: View) -> View:
    """Send anonymous users to sign in, and afterwards back to the page with the button."""

    @wraps(view)
    def wrapper(request: HtmxRequest, *args: str, **kwargs: str) -> HttpResponse:
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
