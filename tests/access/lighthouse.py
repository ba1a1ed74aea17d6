"""Grade front page, lobby, table and rules with Lighthouse. `make lighthouse` runs it.

    python -m tests.access.lighthouse [--least 100] [--runs 1] [--folder FOLDER] [page ...]

Needs npm and Node 20, and installs Lighthouse in a temporary folder, or once in the one given. A
table asks search engines not to index it, because a game concerns only its players, and so does
every page of a player. Lighthouse counts that as a fault, so this one audit is left out of their
scores, and the output says so beside the score. With several runs it prints the medians and the
best scores. Exits with 1 if the best of a page's scores is below the least.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from tests.access.places import Places, prepared
from tests.browser.conftest import CHROMIUM, CHROMIUM_ARGS

PROGRAM = "lighthouse@13.5.0"
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
NOT_INDEXED = ("lobby", "table", "player")
TRIES = 3
FORMS = ("mobile", "desktop")


def main(args: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="lighthouse-") as name:
        folder = Path(args.folder or name)
        if not (folder / "node_modules" / "lighthouse").is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            subprocess.run(
                ["npm", "install", "--silent", "--ignore-scripts", "--no-audit", PROGRAM],
                cwd=folder,
                check=True,
            )
        with prepared(Path(name)) as (places, browser):
            worst = 100
            for place, (path, is_signed_in) in pages(places).items():
                if args.page and place not in args.page:
                    continue
                for form in FORMS:
                    cookies = places.cookies if is_signed_in else []
                    reports = [
                        grade(browser, folder, places.origin + path, form, place, cookies)
                        for _ in range(args.runs)
                    ]
                    worst = min(worst, told(place, form, reports))
    return int(worst < args.least)


def pages(places: Places) -> dict[str, tuple[str, bool]]:
    """Return the path of each page, and whether its reader is signed in."""
    return {
        "front page": ("/", False),
        "lobby": ("/", True),
        "table": (places.late, False),
        "player": (places.late, True),
        "rules": ("/rules/en/", False),
    }


@contextmanager
def opened(browser: Any, cookies: list[dict[str, Any]]) -> Iterator[int]:
    """Open a browser with a new profile, and yield the port that Lighthouse drives it by."""
    with tempfile.TemporaryDirectory(prefix="profile-") as profile:
        context = browser.browser_type.launch_persistent_context(
            profile, executable_path=CHROMIUM, args=[*CHROMIUM_ARGS, "--remote-debugging-port=0"]
        )
        context.add_cookies(cookies)
        try:
            yield int((Path(profile) / "DevToolsActivePort").read_text().split()[0])
        finally:
            context.close()


def grade(
    browser: Any, folder: Path, url: str, form: str, place: str, cookies: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return Lighthouse's report, from a browser of its own that has these cookies.

    Lighthouse itself could only send them as a header, which a WebSocket would not have: the page
    would be a player's, and its live updates a visitor's.
    """
    for _ in range(TRIES):
        # On a busy machine its browser sometimes records no trace.
        with opened(browser, cookies) as port:
            done = subprocess.run(
                [
                    *("node", folder / "node_modules" / "lighthouse" / "cli" / "index.js", url),
                    *("--quiet", "--output=json", f"--only-categories={','.join(CATEGORIES)}"),
                    f"--port={port}",
                    *(["--preset=desktop"] if form == "desktop" else []),
                    *(["--skip-audits=is-crawlable"] if place in NOT_INDEXED else []),
                ],
                cwd=folder,
                stdout=subprocess.PIPE,
                check=False,
            )
        if done.returncode == 0:
            break
    done.check_returncode()
    report: dict[str, Any] = json.loads(done.stdout)
    (folder / f"{place.replace(' ', '-')}-{form}.json").write_bytes(done.stdout)
    return report


def told(place: str, form: str, reports: list[dict[str, Any]]) -> int:
    """Print the scores and the audits that lowered them; return the lowest of the best scores."""
    scores = {
        name: [round(100 * report["categories"][name]["score"]) for report in reports]
        for name in CATEGORIES
    }
    left = " (without is-crawlable)" if place in NOT_INDEXED else ""
    shown = ", ".join(
        f"{name} {max(each)}" + (f" (median {median(each):g})" if len(each) > 1 else "")
        for name, each in scores.items()
    )
    print(f"{place}, {form}: {shown}{left}", flush=True)
    best = max(reports, key=lambda report: report["categories"]["performance"]["score"])
    for name in CATEGORIES:
        for reference in best["categories"][name]["auditRefs"]:
            audit = best["audits"][reference["id"]]
            if reference["weight"] and (audit["score"] or 0) < 1 and audit["score"] is not None:
                print(f"    {audit['id']}: {audit['score']} {audit.get('displayValue', '')}")
    return min(max(each) for each in scores.values())


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--least", type=int, default=100)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--folder")
    parser.add_argument("page", nargs="*")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main(arguments()))
