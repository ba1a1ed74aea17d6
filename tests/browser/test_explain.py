"""The rules of a table: marks and terms explained where a player taps them."""

import pytest

from games.wording.terms import ANCHORS

pytestmark = [pytest.mark.browser, pytest.mark.nightly]


@pytest.fixture
def begin(site, newcomer):
    """Return a function that brings a new player into a game of five that has just begun."""
    players = []

    def begun(name):
        player = newcomer(site, name)
        players.append(player)
        player.register()
        player.page.click("form[action='/quick/'] button")
        player.page.wait_for_selector("#panel-you .role")
        return player

    yield begun
    for player in players:
        assert player.errors == []


def test_a_tap_on_a_mark_brings_its_explanation(begin) -> None:
    page = begin("Pytajnik").page
    assert page.locator("#rules-of-table .later").count() == 1

    page.click("#desk .piles div:first-child dt")

    entry = page.locator("#rules-of-table .explained")
    entry.wait_for(state="visible")
    assert "face down" in entry.inner_text()
    assert page.locator("#rules-of-table .later").count() == 0

    page.reload()
    page.click("[popovertarget=rules-of-table]")
    page.wait_for_selector("#rules-of-table .powers")
    # The link is replaced as soon as it is in view, so it must not be held on to.
    page.evaluate("document.querySelector('#rules-of-table .later')?.scrollIntoView()")
    page.wait_for_selector("#rules-of-table >> text=The host of this table.", state="attached")


def test_terms_are_explained_by_the_rules_of_the_table(begin) -> None:
    player = begin("Terminka")
    page = player.page
    page.click("#panel-log, .sheet-tabs .log-tab")
    term = page.locator(".panel-log a.to-rule").first
    while not term.count():
        player.play(lambda person, choices: choices[-1])
        page.wait_for_timeout(50)

    term.focus()
    page.keyboard.press("Enter")

    page.locator("#rules-of-table .explained").wait_for(state="visible")
    assert page.evaluate("document.activeElement.matches('.explained')")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.matches('a.to-rule')")

    # No table has all the powers. What its rules do not list, the full rules tell.
    elsewhere = {"investigation", "special-election", "peek"}
    for anchor in [one for one in ANCHORS if one not in elsewhere]:
        page.evaluate(
            """(anchor) => {
                document.getElementById("rules-of-table").hidePopover();
                document.querySelector(".explained")?.classList.remove("explained");
                const term = document.createElement("a");
                term.className = "to-rule";
                term.href = `/rules/en/#${anchor}`;
                document.getElementById("main").append(term);
                term.click();
                term.remove();
            }""",
            anchor,
        )
        page.locator("#rules-of-table .explained").wait_for(state="visible")
