"""How many bytes a page's first load takes: what it names, as it is sent."""

import re
from os.path import normpath
from pathlib import Path

import brotli
from django.contrib.staticfiles import finders
from django.http import HttpResponse

KB = 1024
# What one more file costs beside its content: the headers of its answer over HTTP/1.1.
HEADERS_OF_A_FILE = 450
# Files that a page names but a browser loads only on installing or sharing.
LATER = re.compile(r"(icon-\d+|share)\.png$|\.webmanifest$")


def assets_of(page: str) -> set[str]:
    """Return the static files that a browser loads for this page, with those in `url()`.

    The page preloads the fonts of its language, so the fonts in `url()` are left out.
    """
    found = set(re.findall(r"""(?:src|href)=["'](?:[^"']*)/static/([^"'#]+)""", page))
    for name in [name for name in found if name.endswith(".css")]:
        style = Path(finders.find(name))
        for url in re.findall(r"url\([\"']?([^)\"']+)", style.read_text(encoding="utf-8")):
            if not url.endswith(".woff2"):
                found.add(normpath(Path(name).parent / url))
    return {name for name in found if not LATER.search(name)}


def weight(name: str) -> int:
    """Return how many bytes of a static file go over the wire, without headers."""
    content = Path(finders.find(name)).read_bytes()
    return len(content) if name.endswith((".woff2", ".png")) else len(brotli.compress(content))


def first_load(answer: HttpResponse, page: str, weights: dict[str, int]) -> int:
    """Return the bytes of an answer and of the files that its `page` names, without fonts.

    `weights` remembers the files between the calls.
    """
    total = len(answer.content) + sum(len(f"{k}: {v}\r\n") for k, v in answer.items())
    for name in assets_of(page):
        if not name.endswith(".woff2"):
            if name not in weights:
                weights[name] = weight(name) + HEADERS_OF_A_FILE
            total += weights[name]
    return total
