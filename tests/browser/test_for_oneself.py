"""What only the player sees: marks of their notes at the seats, and a covered role card."""

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

# Empty while a move replaces the plate: an element outside the document has no style.
CORNER = """seat => {
    const plate = document.querySelector(`.seat[data-seat="${seat}"] > .nameplate`);
    return plate && getComputedStyle(plate, "::before").content;
}"""


@pytest.fixture
def player(request, site, newcomer):
    """Return a player on the table's page, in a game of five that has just begun."""
    player = newcomer(site, request.param)
    player.register()
    player.page.click("form[action='/quick/'] button")
    player.page.wait_for_selector("#panel-you .role")
    yield player
    assert player.errors == []


@pytest.mark.parametrize("player", ["Notatnik"], indirect=True)
def test_a_mark_of_one_s_notes_stands_at_that_seat_and_goes_with_the_card(player) -> None:
    page = player.page
    # The form comes when it is first seen.
    assert page.locator("[data-noted]").count() == 0
    page.click(".sheet-tabs [value=notes] + span")
    page.wait_for_selector("[data-noted]")
    # The player's own seat has no mark.
    first, second, *_ = page.eval_on_selector_all(
        "[data-noted]", "seats => seats.map(seat => seat.dataset.noted)"
    )

    def corner(seat: str) -> str:
        return page.wait_for_function(CORNER, arg=seat).json_value()

    shapes = set()
    for mark in ("liberal", "fascist", "hitler", "unsure"):
        page.check(f"input[name=mark_{first}][value={mark}]", force=True)
        page.wait_for_selector(".notes-saved")
        shapes.add(corner(first))
        assert corner(second) == "none"
    # Each mark has its own shape, so that it does not depend on colour alone.
    assert len(shapes) == 4 and "none" not in shapes

    page.reload()
    page.wait_for_selector("[data-noted]", state="attached")
    assert corner(first) in shapes
    page.click("[data-switch=hides_role] .when-off")
    page.wait_for_selector("main.covered")
    assert corner(first) == "none"
    page.click("[data-switch=hides_role] .when-on")
    page.wait_for_selector("main:not(.covered)")
    page.check(f"input[name=mark_{first}][value='']", force=True)
    assert corner(first) == "none"


@pytest.mark.parametrize("player", ["Skryty"], indirect=True)
def test_a_covered_card_is_seen_by_who_asks_for_it_and_covers_itself_again(player) -> None:
    page = player.page
    role = page.locator("#panel-you .role").first
    card = page.locator("#panel-you .secret > *")
    assert role.is_visible()

    page.click("[data-switch=hides_role] .when-off")
    page.wait_for_selector("main.covered")
    assert not any(part.is_visible() for part in card.all()) and not role.is_visible()

    page.hover("#look")
    page.mouse.down()
    assert role.is_visible()
    page.mouse.up()
    # The button need not be held down, which a keyboard could not do.
    assert role.is_visible()
    role.wait_for(state="hidden")
    page.reload()
    assert not role.is_visible()
