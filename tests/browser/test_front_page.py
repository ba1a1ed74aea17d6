"""A stranger arrives: the game plays by itself, unless they pause it or want no motion."""

import pytest

LANGUAGES = [
    ("en", "Round", "Nina"),
    pytest.param("ja", "ラウンド", "みどり", marks=pytest.mark.nightly),
]
# Longer than a still is shown.
A_WHILE = 4000


def caption(page) -> str:
    return page.text_content(".film-caption")


def wait_for_another(page, told: str) -> None:
    page.wait_for_function(
        "told => document.querySelector('.film-caption').textContent !== told", arg=told
    )


def play_on(page, told: str) -> None:
    """Let time pass until another move is shown; the moves of the game come by the network."""
    for _ in range(100):
        if caption(page) != told:
            return
        page.clock.run_for(A_WHILE)
        page.wait_for_timeout(100)
    raise AssertionError("the game does not play")


@pytest.mark.parametrize(("language", "round_", "name"), LANGUAGES)
def test_the_game_plays_by_itself_and_stops_at_a_press(site, newcomer, language, round_, name):
    stranger = newcomer(site, name, language=language, motion=True)
    page = stranger.page
    page.clock.install()
    page.goto("/")
    first = caption(page)
    assert round_ in first
    play_on(page, first)
    page.click("#film-pause")
    told = caption(page)
    page.clock.run_for(A_WHILE)
    assert caption(page) == told
    page.click("#film-pause")
    play_on(page, told)
    assert stranger.errors == []


@pytest.mark.nightly
@pytest.mark.parametrize(("language", "round_", "name"), LANGUAGES)
def test_without_motion_it_stands_still_and_steps_by_hand(site, newcomer, language, round_, name):
    stranger = newcomer(site, f"{name}2", language=language, width=390, height=844)
    page = stranger.page
    fetched = []
    page.on("request", lambda request: fetched.append(request.url))
    page.clock.install()
    page.goto("/")
    first = caption(page)
    page.clock.run_for(A_WHILE)
    page.wait_for_timeout(500)
    assert caption(page) == first
    assert not [url for url in fetched if "/film/" in url]
    assert not page.is_visible("#film-pause")

    height = page.locator(".film").bounding_box()["height"]
    seen = {first}
    for _ in range(8):
        told = caption(page)
        page.click("#film-next")
        wait_for_another(page, told)
        seen.add(caption(page))
        assert page.locator(".film").bounding_box()["height"] == height
    last = caption(page)
    page.click("#film-previous")
    wait_for_another(page, last)
    assert caption(page) == told
    assert len(seen) == 9
    # At the end of a short game, the last still tells who was who.
    assert len([told for told in seen if round_ not in told]) <= 1
    assert page.url.endswith("/")
    assert len([url for url in fetched if "/film/" in url]) == 1
    assert stranger.errors == []


@pytest.mark.nightly
def test_without_scripts_each_move_is_a_page(site, newcomer):
    page = newcomer(site, "Nelly", javascript=False).page
    page.goto("/")
    told = caption(page)
    page.click("#film-next")
    assert caption(page) != told
    assert not page.is_visible("#film-pause")


@pytest.mark.nightly
def test_a_language_that_is_picked_applies_at_once(site, newcomer):
    page = newcomer(site, "Olga").page
    page.goto("/rules/")
    assert not page.is_visible("form.language button")
    page.click("#language")
    with page.expect_navigation():
        page.select_option("#language", "ru")
    assert page.get_attribute("html", "lang") == "ru" and page.url.endswith("/rules/")
