"""Measure in a browser what the first load of each kind of page takes. `make first-load` runs it.

    python -m tests.access.first_load [--most 100] [part of a path ...]

Counts each answer as it comes over the wire, with its headers, and without the fonts; of two widths
of the window, the heavier. Prints a row for each page, and exits with 1 if one weighs more than the
limit, in units of 1024 bytes.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.access.places import Places, prepared

KB = 1024
LANGUAGES = ("en", "ru")
WIDTHS = (390, 1366)


def main(args: argparse.Namespace) -> int:
    heaviest = 0
    with (
        tempfile.TemporaryDirectory(prefix="first-load-") as name,
        prepared(Path(name)) as (places, browser),
    ):
        print(f"{'KB':>6} {'page':>6} {'files':>6} {'fonts':>6}")
        named = {places.gathering: "gathering", places.late: "late", places.over: "over"}
        for language in LANGUAGES:
            places.speak(browser, language)
            for path, is_signed_in in kinds(places):
                shown = path
                for table, name in named.items():
                    shown = shown.replace(table, f"/tables/{name}/")
                if args.part and not any(_fits(shown, part) for part in args.part):
                    continue
                loads = [
                    first_load(browser, places, path, language, is_signed_in, width)
                    for width in WIDTHS
                ]
                load = max(loads, key=lambda one: one["all"])
                heaviest = max(heaviest, load["all"])
                print(
                    *(f"{load[part] / KB:6.1f}" for part in ("all", "page", "files", "fonts")),
                    f"{shown}, {language},",
                    "signed in" if is_signed_in else "a visitor",
                    flush=True,
                )
    return int(heaviest > args.most * KB)


def _fits(path: str, part: str) -> bool:
    return path == part if part == "/" else part in path


def kinds(places: Places) -> list[tuple[str, bool]]:
    """Return the path of each kind of page, and whether its reader is signed in."""
    visitors = [
        *("/", "/watch/", "/puzzle/", "/tutorial/", "/tutorial/nominate/", "/tutorial/veto/"),
        *("/rules/", "/rules/en/", "/rules/compare/", "/rules/glossary/"),
        *("/archive/", "/statistics/", "/ratings/", "/dumps/", "/records/"),
        *("/account/register/", "/account/sign-in/", places.gathering, places.late, places.over),
        *(f"{places.over}{what}/" for what in ("replay", "truth", "proof")),
        *(places.person, "/nowhere/"),
    ]
    own = [
        *("/", "/games/", "/tables/new/", "/vacation/", "/records/", "/account/"),
        *("/account/preferences/", "/account/notifications/", "/account/sessions/"),
        *("/rules/en/", "/archive/", places.gathering, places.late, places.over),
        *(f"{places.over}{what}/" for what in ("replay", "truth", "talk")),
        places.person,
    ]
    return [(path, False) for path in visitors] + [(path, True) for path in own]


def first_load(
    browser: Any, places: Places, path: str, language: str, is_signed_in: bool, width: int
) -> dict[str, int]:
    """Return the bytes of the page, its other files and its fonts; "all" leaves out the fonts."""
    context = browser.new_context(
        base_url=places.origin, locale=language, viewport={"width": width, "height": 844}
    )
    if is_signed_in:
        context.add_cookies(places.cookies)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    kinds_: dict[str, str] = {}
    sizes: dict[str, int] = {}

    def answered(event: dict[str, Any]) -> None:
        kinds_[event["requestId"]] = event["type"]

    def loaded(event: dict[str, Any]) -> None:
        sizes[event["requestId"]] = int(event["encodedDataLength"])

    session.on("Network.responseReceived", answered)
    session.on("Network.loadingFinished", loaded)
    page.goto(path, wait_until="networkidle")
    context.close()
    sums = {"page": 0, "files": 0, "fonts": 0}
    for request, size in sizes.items():
        kind = {"Document": "page", "Font": "fonts"}.get(kinds_.get(request, ""), "files")
        sums[kind] += size
    return sums | {"all": sums["page"] + sums["files"]}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=100)
    parser.add_argument("part", nargs="*")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main(arguments()))
