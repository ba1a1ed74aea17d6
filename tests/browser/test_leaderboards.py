"""The leaderboards: a changed filter applies at once, and nothing else changes."""

import pytest

pytestmark = pytest.mark.nightly


def test_a_changed_filter_applies_at_once_and_keeps_its_focus_and_the_history(site, newcomer):
    reader = newcomer(site, "Olga-board")
    reader.register()
    page = reader.page
    page.goto("/ratings/")
    page.evaluate("window.isTheSamePage = true")
    name = page.locator(".board-name")
    assert "Liberal play" in name.inner_text()
    page.focus("#filter_side")
    page.select_option("#filter_side", "fascist")
    page.wait_for_url("**/ratings/?side=fascist&tempo=live")
    page.wait_for_selector(".board-name >> text=Fascist play, live")
    page.wait_for_selector("#filter_side:focus")
    assert page.input_value("#filter_side") == "fascist"
    assert "Fascist play, live" in page.text_content("#board-told")

    page.check("#filter_friends")
    page.wait_for_url("**/ratings/?side=fascist&tempo=live&friends=on")
    page.wait_for_selector("text=You have no friends here yet.")
    page.wait_for_selector("#filter_friends:focus")
    assert page.is_checked("#filter_friends")
    assert page.evaluate("window.isTheSamePage")
    page.go_back()
    page.wait_for_selector(".board-name >> text=Fascist play, live")
    page.wait_for_selector("text=You have no friends here yet.", state="detached")
    assert reader.errors == []


def test_on_a_phone_the_filters_stay_open_for_the_next_one(site, newcomer):
    page = newcomer(site, "Olga-phone-board", width=390, height=844).page
    page.goto("/ratings/")
    page.click(".board-filters > summary")
    page.select_option("#filter_side", "fascist")
    page.wait_for_selector(".board-chosen >> text=Fascist play, live")
    assert page.locator("#filter_tempo").is_visible()
    # What is chosen stands once in sight.
    box = page.locator(".board-name").bounding_box()
    assert box["width"] <= 1 and box["height"] <= 1


def test_without_javascript_the_button_shows_the_chosen_board(site, newcomer):
    page = newcomer(site, "Olga-plain-board", javascript=False).page
    page.goto("/ratings/")
    page.select_option("#filter_side", "fascist")
    page.click(".board-foot button")
    page.wait_for_selector(".board-name >> text=Fascist play, live")
