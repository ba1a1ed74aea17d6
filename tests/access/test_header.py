"""The header: one row on a phone, with targets for a finger, and one row on a laptop."""

import pytest
from django.test import Client

from tests.builders.person import Person
from tests.builders.tables import gather, person, user_at
from tests.pages import Reader

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

LANGUAGES = ("en", "ru", "pl", "ja", "it")
ROWS = """() => new Set([...document.querySelectorAll(".masthead > *, .masthead a")]
    .filter((part) => part.getClientRects().length)
    .map((part) => {
        const { top, bottom } = part.getBoundingClientRect();
        return Math.round((top + bottom) / 40);
    })).size"""
# Each link's and button's text, and where it begins.
PLACES = """() => Object.fromEntries([...document.querySelectorAll(".masthead :is(a, button)")]
    .filter((part) => part.getClientRects().length)
    .map((part) => [part.textContent.trim(), part.getBoundingClientRect().left]))"""


# The links that are smaller than a finger. The logo leads where the first of them does.
SMALL = """() => [...document.querySelectorAll(".masthead a")].filter((part) => {
    const { width, height } = part.getBoundingClientRect();
    return width && Math.min(width, height) < 40 && !part.matches(".masthead-name");
}).map((part) => part.textContent.trim())"""


def browser(language: str, user=None) -> Client:
    client = Client(HTTP_ACCEPT_LANGUAGE=language)
    if user is not None:
        client.force_login(user)
    return client


def guest_of(table):
    guest = user_at(table, 1)
    guest.is_trial = True
    guest.save(update_fields=["is_trial"])
    return guest


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phone_s_header_is_one_row(chromium, language) -> None:
    table = gather()
    guest = guest_of(table)
    user = browser(language, person("Ada"))
    pages = {
        "lobby": user.get("/").content.decode(),
        "rules": user.get("/rules/").content.decode(),
        "guest": Person(guest, table, language).page(),
        "guest elsewhere": browser(language, guest).get("/rules/").content.decode(),
    }
    pages["visitor"] = browser(language).get("/rules/").content.decode()
    with Reader(chromium) as reader:
        rows = {}
        for width in (390, 360):
            reader.page.set_viewport_size({"width": width, "height": 844})
            for name, html in pages.items():
                reader.read(html)
                rows[name, width] = reader.page.evaluate(ROWS)
                wide = reader.page.evaluate("document.documentElement.scrollWidth")
                assert wide <= width, name
    assert rows == dict.fromkeys(rows, 1)


def test_a_phone_s_header_has_targets_for_a_finger_and_keeps_the_account_at_a_table(
    chromium,
) -> None:
    table = gather()
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 360, "height": 800})
        reader.read(browser("ru", person("Ada")).get("/").content.decode())
        assert reader.page.locator('.masthead-nav > a[href="/"]').is_visible()
        targets = reader.page.locator(".masthead-account > a")
        assert [part.bounding_box()["width"] >= 40 for part in targets.all()] == [True] * 3

        reader.read(browser("ru").get("/rules/").content.decode())
        globe = reader.page.locator("#language").bounding_box()
        assert min(globe["width"], globe["height"]) >= 40
        link = reader.page.locator(".masthead-account > a").first.bounding_box()
        assert abs(globe["y"] - link["y"]) <= 1
        # The list itself takes the press.
        reader.page.select_option("#language", "pl", timeout=2000)

        reader.read(Person(user_at(table, 0), table, "ru").page())
        assert reader.page.locator(".masthead-user").is_visible()
        assert reader.page.locator(".masthead-friends").is_visible()
        assert reader.page.evaluate(ROWS) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phone_s_header_leads_visitors_and_guests_to_the_lobby_and_to_an_account(
    chromium, language
) -> None:
    guest = guest_of(gather())
    with Reader(chromium) as reader:
        for client in (browser(language), browser(language, guest)):
            html = client.get("/rules/").content.decode()
            for width in (390, 360):
                reader.page.set_viewport_size({"width": width, "height": 844})
                reader.read(html)
                assert reader.page.locator('.masthead-nav a[href="/"]').is_visible()
                assert reader.page.locator(".masthead-account a:visible").count() == 2
                assert reader.page.evaluate(SMALL) == []
                assert reader.page.evaluate(ROWS) == 1


@pytest.mark.parametrize("width", [1366, 390])
def test_a_language_chosen_by_keyboard_moves_nothing_in_the_header(chromium, width) -> None:
    places = PLACES.replace(":is(a, button)", ":is(a, select)")
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": width, "height": 844})
        reader.read(browser("en").get("/rules/").content.decode())
        before = reader.page.evaluate(places), reader.page.locator(".masthead").bounding_box()
        # As live.js does after a key.
        reader.page.evaluate("document.querySelector('.language').classList.add('is-changed')")
        assert reader.page.locator(".language button").is_visible()
        after = reader.page.evaluate(places), reader.page.locator(".masthead").bounding_box()
        assert after == before and len(before[0]) > 4
        button = reader.page.locator(".language button").bounding_box()
        assert button["x"] >= 0 and button["x"] + button["width"] <= width
        reader.page.locator(".language button").click(trial=True, timeout=2000)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_laptop_s_header_is_one_row_with_the_games_and_the_leaderboards(
    chromium, language
) -> None:
    user = browser(language, person("Wolfgang Amadeus M"))
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 1280, "height": 720})
        for client, games in ((user, "/games/"), (browser(language), "/archive/")):
            reader.read(client.get("/rules/").content.decode())
            assert reader.page.evaluate(ROWS) == 1
            for path in (games, "/ratings/"):
                assert reader.page.locator(f'.masthead-nav a[href="{path}"]').is_visible()
        reader.page.set_viewport_size({"width": 1024, "height": 720})
        assert not reader.page.locator(".masthead-nav .ample >> visible=true").count()


def test_no_link_of_the_header_moves_from_page_to_page_or_has_a_frame(chromium) -> None:
    user = browser("en", person("Ada"))
    places = []
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 1366, "height": 768})
        for path in ("/", "/rules/", "/puzzle/", "/games/", "/ratings/"):
            reader.read(user.get(path, follow=True).content.decode())
            places.append(reader.page.evaluate(PLACES))
        frames = reader.page.locator(".masthead-account button").evaluate_all(
            "(all) => all.map((it) => getComputedStyle(it).borderTopWidth)"
        )
    assert len(places[0]) > 7 and places == [places[0]] * 5
    assert frames == ["0px"]
