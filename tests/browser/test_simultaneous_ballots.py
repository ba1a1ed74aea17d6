"""Ten people vote at once: answers that cross frames cost no repair, and all pages agree."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.opening import open_table
from tests.browser.person import Person

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

SEATS = 10
VOTED = "#panel-action [aria-pressed=true]"


class Watched:
    """A person whose frames can be held back, and what their page asks the site for."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.repairs: list[str] = []
        self.answers = 0
        self._is_holding = False
        self._held: list[str | bytes] = []
        person.page.route_web_socket("**/live/**", self._connect)
        person.page.on("request", self._asked)
        person.page.on("requestfinished", self._answered)

    def hold_frames(self) -> None:
        """Let no frame reach the page before the answer to its move."""
        self._is_holding = True

    def _connect(self, socket: Any) -> None:
        site = socket.connect_to_server()
        self._page = socket

        def said(text: str | bytes) -> None:
            if "unsure" in str(text):
                self.repairs.append(str(text))
            site.send(text)

        def heard(text: str | bytes) -> None:
            if self._is_holding:
                self._held.append(text)
            else:
                socket.send(text)

        socket.on_message(said)
        site.on_message(heard)

    def _asked(self, request: Any) -> None:
        if request.url.endswith("/panels/"):
            self.repairs.append(request.url)

    def _answered(self, request: Any) -> None:
        if request.url.endswith("/act/"):
            self.answers += 1
            self._is_holding = False
            for text in self._held:
                self._page.send(text)
            self._held.clear()


def voting(site: object, newcomer: Callable[..., Person]) -> list[Watched]:
    """Return ten people at ten browsers, all of whom may vote."""
    people = [newcomer(site, f"Voter {number}") for number in range(SEATS)]
    watched = [Watched(person) for person in people]
    for person in people:
        person.register()
    path = open_table(people[0], seats=SEATS, pace="relaxed")
    for person in people[1:]:
        person.page.goto(path)
        person.post("join")
        person.page.wait_for_selector("[data-you]", state="attached")
    people[0].page.wait_for_selector("#start:not([disabled])")
    people[0].post("start")
    nominate = "#panel-action button[value^='nominate:']"
    for person in people:
        person.page.wait_for_selector("#panel-you .role")
    [president] = [person for person in people if person.page.locator(nominate).count()]
    president.page.locator(nominate).first.click()
    for person in people:
        person.page.wait_for_selector("#panel-action button[value='vote:ja']")
    for each in watched:
        each.repairs.clear()
    return watched


def test_ten_ballots_at_once_cost_no_repair(site, newcomer) -> None:
    watched = voting(site, newcomer)
    voters = watched[:-1]
    before = [each.answers for each in voters]
    for each in voters:
        # On a busy site an answer may overtake the frames of the ballots before its own.
        each.hold_frames()

    for each in voters:
        # Not `click`, which waits: all ballots are to be on their way together.
        each.person.page.evaluate(
            "setTimeout(() => document.querySelector(\"#panel-action [value='vote:ja']\").click())"
        )
    marks = f"document.querySelectorAll('.mark-voted').length === {len(voters)}"
    for each in watched:
        each.person.page.wait_for_function(f"() => {marks}")
    assert [each.answers for each in voters] == [count + 1 for count in before]
    for each in voters:
        each.person.page.wait_for_selector(VOTED)
    # The frame of the last ballot finds the panels as the server believes them to be.
    watched[-1].person.press("vote:nein")
    for each in watched:
        each.person.page.wait_for_selector(".seat-ballot.nein", state="attached")
    # Longer than a page waits for a frame.
    watched[0].person.page.wait_for_timeout(3_000)

    assert [each.repairs for each in watched] == [[] for _ in watched]
    shown = {
        each.person.page.eval_on_selector("#panel-seats", "panel => panel.dataset.digest")
        for each in watched
    }
    assert len(shown) == 1
