"""The rules of a table: marks explained where a player taps them, and asked for only then."""

import pytest

pytestmark = pytest.mark.browser


@pytest.fixture
def player(site, newcomer):
    """Return a player on the table's page, in a game of five that has just begun."""
    player = newcomer(site, "Pytajnik")
    player.register()
    player.page.click("form[action='/quick/'] button")
    player.page.wait_for_selector("#panel-you .role")
    yield player
    assert player.errors == []


def test_a_tap_on_a_mark_brings_its_explanation(player) -> None:
    page = player.page
    assert page.locator("#rules-of-table .later").count() == 1

    page.click("#desk .piles div:first-child dt")

    entry = page.locator("#rules-of-table .explained")
    entry.wait_for(state="visible")
    assert "face down" in entry.inner_text()
    assert page.locator("#rules-of-table .later").count() == 0

    page.reload()
    page.click("[popovertarget=rules-of-table]")
    page.wait_for_selector("#rules-of-table .powers")
    page.evaluate("document.getElementById('rules-of-table').scrollTo(0, 1e6)")
    page.wait_for_selector("#rules-of-table >> text=The host of this table.", state="attached")
