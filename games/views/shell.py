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

# All that the offline page needs: static files, the same for everyone.
SHELL: Final = (
    *("games/css/site.css", "games/favicon.svg"),
    *("games/fonts/vollkorn.woff2", "games/fonts/kaffeesatz.woff2"),
)


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker, which is at the root because it serves the whole site."""
    return HttpResponse(_worker(), content_type="text/javascript; charset=utf-8")


@lru_cache(maxsize=1)
def _worker() -> str:
    files = [static(name) for name in SHELL]
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
