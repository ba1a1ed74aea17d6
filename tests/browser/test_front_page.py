"""A stranger arrives: the game plays by itself, unless they pause it or want no motion."""

import pytest

LANGUAGES = [("en", "Round", "Nina"), ("ja", "ラウンド", "みどり")]
WINDOWS = [(390, 844), (1366, 768)]
FRONT_PAGE_BYTES = 100_000
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


def test_it_stops_while_it_is_out_of_sight(site, newcomer):
    page = newcomer(site, "Nora", motion=True, width=390, height=844).page
    page.clock.install()
    page.goto("/")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_timeout(500)
    told = caption(page)
    page.clock.run_for(A_WHILE)
    page.wait_for_timeout(500)
    assert caption(page) == told
    page.locator(".film-table").scroll_into_view_if_needed()
    play_on(page, told)


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


def test_without_scripts_each_move_is_a_page(site, newcomer):
    page = newcomer(site, "Nelly", javascript=False).page
    page.goto("/")
    told = caption(page)
    page.click("#film-next")
    assert caption(page) != told
    assert not page.is_visible("#film-pause")


@pytest.mark.parametrize("language", ["en", "ru", "ja"])
def test_play_now_is_the_first_button_and_above_the_fold(site, newcomer, language):
    page = newcomer(site, "Nina", language=language).page
    page.goto("/")
    assert page.locator("main button, main a.button").first.get_attribute("id") == "play-now"
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        box = page.locator("#play-now").bounding_box()
        assert box["y"] + box["height"] < height, width


@pytest.mark.parametrize("language", ["en", "ru", "ja"])
def test_no_seat_covers_a_policy(site, newcomer, language):
    page = newcomer(site, "Nina", language=language).page
    page.goto("/")
    for width in (320, 390, 1366):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        covered = page.evaluate("""() => {
          const boxes = (of) => Array.from(document.querySelectorAll(of),
            (e) => e.getBoundingClientRect());
          return boxes(".film .nameplate").some((a) => boxes(".film .track").some((b) =>
            a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
        }""")
        assert not covered, width


def test_the_front_page_is_light_with_its_whole_game(site, newcomer):
    page = newcomer(site, "Nina", motion=True).page
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    urls, sizes = {}, {}
    session.on(
        "Network.responseReceived",
        lambda event: urls.update({event["requestId"]: event["response"]["url"]}),
    )
    session.on(
        "Network.loadingFinished",
        lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}),
    )
    page.goto("/")
    wait_for_another(page, caption(page))
    weight = {urls.get(key, ""): size for key, size in sizes.items()}
    assert any("/film/" in url for url in weight)
    assert sum(size for url, size in weight.items() if "woff2" not in url) < FRONT_PAGE_BYTES


def test_watch_a_game_shows_one_on_a_new_site(site, newcomer):
    page = newcomer(site, "Nina").page
    page.goto("/watch/")
    assert page.locator(".film, [data-replay], .table-page").count()


def test_a_language_that_is_picked_applies_at_once(site, newcomer):
    page = newcomer(site, "Olga").page
    page.goto("/rules/")
    assert not page.is_visible("form.language button")
    page.click("#language")
    with page.expect_navigation():
        page.select_option("#language", "ru")
    assert page.get_attribute("html", "lang") == "ru" and page.url.endswith("/rules/")


def test_a_language_that_the_keyboard_passes_waits_for_the_button(site, newcomer):
    page = newcomer(site, "Piotr").page
    page.goto("/rules/")
    page.focus("#language")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("form.language button:visible")
    chosen = page.input_value("#language")
    assert page.get_attribute("html", "lang") == "en" != chosen
    page.keyboard.press("Tab")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.get_attribute("html", "lang") == chosen
