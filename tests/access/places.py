"""A site with a running game and a finished one, for the commands that measure pages."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.browser.conftest import CHROMIUM, CHROMIUM_ARGS, Site
from tests.browser.person import Person

SEATS = 10
# By then the log, the governments and the marks of the seats are long.
LATE = 6


@dataclass(frozen=True)
class Places:
    """The address of the site, its tables, and the cookies of the player who sits at them."""

    origin: str
    gathering: str
    late: str
    over: str
    person: str
    cookies: list[dict[str, Any]]

    def speak(self, browser: Any, language: str) -> None:
        """Choose the player's language, which their account keeps."""
        context = browser.new_context(base_url=self.origin)
        context.add_cookies(self.cookies)
        page = context.new_page()
        page.goto("/rules/")
        if page.get_attribute("html", "lang") != language:
            with page.expect_navigation():
                page.eval_on_selector(
                    "form.language",
                    "(form, to) => { form.elements.language.value = to; form.submit(); }",
                    language,
                )
        context.close()


@contextmanager
def prepared(folder: Path) -> Iterator[tuple[Places, Any]]:
    """Start a site and a browser, and play until there is a late game and a finished one."""
    site = Site(folder / "data", LIMITS="off", BOT_PAUSE="0.1")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
            host = Person(browser, site.port, "Hedwig")
            host.register()
            over = _play(host, until_late=False)
            late = _play(host, until_late=True)
            gathering = _open(host)
            host.page.goto("/account/")
            person = host.page.locator("a[href^='/people/']").first.get_attribute("href") or ""
            cookies = [
                one | {"url": f"http://127.0.0.1:{site.port}/"} for one in host.context.cookies()
            ]
            host.leave()
            for one in cookies:
                for key in ("domain", "path"):
                    one.pop(key, None)
            origin = f"http://127.0.0.1:{site.port}"
            yield Places(origin, gathering, late, over, person, cookies), browser
            browser.close()
    finally:
        site.stop()


def _open(host: Person) -> str:
    host.page.goto("/tables/new/")
    host.page.select_option("select[name=seats_wanted]", str(SEATS))
    host.page.click("#open")
    host.page.wait_for_selector(".table-page")
    return str(host.page.evaluate("location.pathname"))


def _play(host: Person, *, until_late: bool) -> str:
    """Play with bots to the end or, if asked, to a decision of the host late in the game."""
    while True:
        path = _open(host)
        host.post("fill")
        host.page.click("#start:not([disabled])")
        host.page.wait_for_selector(".night, #panel-action")
        while not host.is_over:
            if until_late and _round(host) >= LATE and host.offer()[1]:
                return path
            host.play(lambda _, choices: choices[0])
            host.page.wait_for_timeout(100)
        if not until_late:
            return path


def _round(host: Person) -> int:
    found = re.search(r"\d+", host.page.text_content("#panel-banner .kicker") or "")
    return int(found[0]) if found else 0
