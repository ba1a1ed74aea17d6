"""The installed app: its service worker, and the page that it shows without a network."""

import json
from functools import lru_cache
from hashlib import sha256
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

# All that the offline page needs: static files, the same for every reader of a language.
SHELL: Final = ("games/css/site.css", "games/favicon.svg")
_FONTS: Final = ("games/fonts/vollkorn-latin.woff2", "games/fonts/kaffeesatz-latin.woff2")
_CYRILLIC_FONTS: Final = ("games/fonts/vollkorn.woff2", "games/fonts/kaffeesatz.woff2")


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker, which is at the root because it serves the whole site."""
    return HttpResponse(
        _worker(request.LANGUAGE_CODE == "ru"), content_type="text/javascript; charset=utf-8"
    )


@lru_cache(maxsize=2)
def _worker(is_cyrillic: bool) -> str:
    fonts = _CYRILLIC_FONTS if is_cyrillic else _FONTS
    files = [static(name) for name in (*SHELL, *fonts)]
    offline = reverse("offline")
    version = sha256("\n".join(files).encode()).hexdigest()[:12]
    context = {
        "version": json.dumps(version),
        "files": json.dumps(files),
        "offline": json.dumps(offline),
        "icon": json.dumps(static("games/icon-192.png")),
    }
    return render_to_string("shell/service_worker.js", context)


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Return the page that the service worker keeps: the same for every reader of a language."""
    return render(request, "shell/offline.html")
