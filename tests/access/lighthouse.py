"""Grade the lobby, a table and the rules with Lighthouse, signed out. `make lighthouse` runs it.

    python -m tests.access.lighthouse [least score]

Needs npm and Node 20, and installs Lighthouse in a temporary folder. A table asks search engines
not to index it, because a game concerns only its players. Lighthouse counts that as a fault, so
this one audit is left out of the table's score, and the output says so beside the score.
Exits with 1 if a score is below the least score (100).
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.browser.conftest import CHROMIUM, CHROMIUM_ARGS, Site
from tests.browser.person import Person

PROGRAM = "lighthouse@13.5.0"
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
LEFT_OUT = {"table": "is-crawlable"}
FORMS = ("mobile", "desktop")


def main(least: int) -> int:
    with tempfile.TemporaryDirectory(prefix="lighthouse-") as name:
        folder = Path(name)
        subprocess.run(
            ["npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", PROGRAM],
            cwd=folder,
            check=True,
        )
        site = Site(folder / "data", LIMITS="off", BOT_PAUSE="600")
        try:
            pages = {"lobby": "/", "table": open_table(site), "rules": "/rules/en/"}
            worst = 100
            for (place, path), form in ((page, form) for page in pages.items() for form in FORMS):
                graded = grade(folder, f"http://127.0.0.1:{site.port}{path}", form, place)
                worst = min(worst, told(place, form, graded))
        finally:
            site.stop()
    return int(worst < least)


def open_table(site: Site) -> str:
    """Return the path of a running public table for ten players."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        host = Person(browser, site.port, "Hedwig")
        host.register()
        host.page.goto("/tables/new/")
        host.page.select_option("select[name=seats_wanted]", "10")
        host.page.click("#open")
        host.post("fill")
        host.page.click("#start:not([disabled])")
        host.page.wait_for_selector(".night")
        path = host.page.evaluate("location.pathname")
        host.leave()
        browser.close()
    return str(path)


def grade(folder: Path, url: str, form: str, place: str) -> dict[str, Any]:
    command = [
        *("node", folder / "node_modules" / "lighthouse" / "cli" / "index.js", url),
        *("--quiet", "--output=json", f"--only-categories={','.join(CATEGORIES)}"),
        f"--chrome-flags=--headless=new {' '.join(CHROMIUM_ARGS)}",
        *(["--preset=desktop"] if form == "desktop" else []),
        *([f"--skip-audits={LEFT_OUT[place]}"] if place in LEFT_OUT else []),
    ]
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"CHROME_PATH": CHROMIUM},
        stdout=subprocess.PIPE,
        check=True,
    )
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def told(place: str, form: str, report: dict[str, Any]) -> int:
    """Print the scores and the audits that lowered them; return the lowest score."""
    scores = {name: round(100 * report["categories"][name]["score"]) for name in CATEGORIES}
    left = f" (without {LEFT_OUT[place]})" if place in LEFT_OUT else ""
    print(f"{place}, {form}: {', '.join(f'{k} {v}' for k, v in scores.items())}{left}", flush=True)
    for name in CATEGORIES:
        for reference in report["categories"][name]["auditRefs"]:
            audit = report["audits"][reference["id"]]
            if reference["weight"] and (audit["score"] or 0) < 1 and audit["score"] is not None:
                print(f"    {audit['id']}: {audit['score']} {audit.get('displayValue', '')}")
    return min(scores.values())


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
