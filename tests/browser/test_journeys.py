"""The journeys of a stranger, friends, an account and a first game."""

from functools import partial

import pytest

from tests.browser.person import PASSWORD

PHONE = {"width": 390, "height": 844}
TABLE_PASSWORD = "swordfish"
NIGHTLY = partial(pytest.param, marks=pytest.mark.nightly)


@pytest.mark.parametrize(("language", "name"), [("en", "Zosia"), NIGHTLY("ja", "さゆり")])
def test_a_stranger_plays_at_once_and_keeps_the_seat(site, newcomer, language, name):
    guest = newcomer(site, name, language=language, **PHONE)
    page = guest.page
    page.goto("/")
    page.fill("#play-name", guest.name)
    # Two presses to the first ballot; on an idle machine they take two seconds.
    page.click("#play-now")
    page.locator("#panel-action form.act button").first.click()
    page.wait_for_selector("#panel-action button[name=choice]")

    table = page.url
    page.click(".masthead-keep")
    page.fill("#id_password", PASSWORD)
    page.locator("main form button.primary").first.click()
    page.wait_for_url(table)
    assert page.locator(".masthead-keep").count() == 0
    assert page.locator("#panel-you .role").count()
    assert guest.errors == []


def test_friends_of_two_languages_meet_at_a_table_with_a_password(site, newcomer):
    names, other = ("Harriet", "Ichiro", "Iwona"), "ja"
    host = newcomer(site, names[0])
    host.register()
    page = host.page

    page.click(".lobby-ways a")
    page.locator("[name=visibility][value=private]").check(force=True)
    # Friends may join as guests, unless the host decides otherwise.
    assert page.is_checked("#id_takes_guests")
    page.evaluate("for (const more of document.querySelectorAll('details')) more.open = true")
    page.fill("#id_password", TABLE_PASSWORD)
    page.click("main form button.primary")
    page.wait_for_selector("#invite", state="attached")
    link = page.input_value("#invite")
    path = link.removeprefix(host.line.url)

    # A friend reads their own language, registers, and is back at the invitation.
    friend = newcomer(site, names[1], language=other, **PHONE)
    friend.page.goto(path)
    assert friend.page.get_attribute("html", "lang") == other
    assert names[0] in friend.page.inner_text("main")
    friend.page.click("main a[href^='/account/register/']")
    friend.page.fill("input[name=username]", friend.name)
    friend.page.fill("input[name=password1]", PASSWORD)
    friend.page.click("main form button.primary")
    friend.page.wait_for_url(f"**{path}")
    friend.page.fill("#id_password", TABLE_PASSWORD)
    friend.page.click("main form button.primary")
    friend.page.click("#join")
    friend.page.wait_for_selector("#leave")

    # Another sits down as a guest.
    guest = newcomer(site, f"{names[2]}2", language=other, **PHONE)
    guest.page.goto(path)
    guest.page.fill("#id_password", TABLE_PASSWORD)
    guest.page.click("main form button.primary")
    guest.page.click("a[href$='/guest/']")
    guest.page.fill("#id_name", guest.name)
    guest.page.click("main form button.primary")
    guest.page.wait_for_selector("#leave")
    for person in (host, friend, guest):
        assert person.errors == []


@pytest.mark.nightly
def test_an_account_is_made_set_up_read_and_deleted(site, newcomer):
    name = "Alicja"
    user = newcomer(site, name, language="pl", **PHONE)
    page = user.page
    user.register()

    # Preferences stay.
    page.goto("/account/")
    page.click("main a[href='/account/preferences/']")
    page.select_option("[name=theme]", "dark")
    page.locator("main form button.primary").first.click()
    page.wait_for_load_state()
    page.goto("/account/preferences/")
    assert page.input_value("[name=theme]") == "dark"

    # Turn notices are chosen for each pace.
    page.goto("/account/turns/")
    boxes = page.locator("main input[type=checkbox]")
    was = boxes.first.is_checked()
    boxes.first.press("Space")
    page.locator("main form button.primary").first.click()
    page.wait_for_load_state()
    page.goto("/account/turns/")
    assert page.locator("main input[type=checkbox]").first.is_checked() != was

    # A vacation is begun and ended.
    page.goto("/vacation/")
    page.locator("main form button.primary").first.click()
    page.wait_for_load_state()
    page.goto("/vacation/")
    assert page.locator("main form select").count() == 0

    # Another user's request for friendship is a notice.
    other = newcomer(site, f"{name}b", language="pl")
    other.register()
    other.page.goto("/account/people/")
    other.page.fill("main form[action$='/ask/'] input[name=name]", name)
    other.page.click("main form[action$='/ask/'] button")
    page.goto("/account/notifications/")
    assert f"{name}b" in page.inner_text("main")

    # Deletion asks for the password again; then the user is signed out.
    page.goto("/account/close/")
    if page.locator("[name=password]").count():
        page.fill("[name=password]", PASSWORD)
        page.click("main form button.primary")
        page.wait_for_url("**/account/close/")
    page.click("main form button.grave")
    page.wait_for_load_state()
    page.goto("/")
    assert page.locator("#play-now").count() == 1
    assert user.errors == []


@pytest.mark.parametrize(
    ("language", "size"), [("en", PHONE), NIGHTLY("ja", {"width": 1366, "height": 768})]
)
def test_a_first_game_explains_what_is_tapped(site, newcomer, language, size):
    guest = newcomer(site, "", language=language, **size)
    page = guest.page
    page.goto("/")
    page.click("#play-now")
    page.locator("#panel-action form.act button").first.click()
    # The coach gives a hint with the first decision.
    page.wait_for_selector("#panel-action .coach")
    for tapped in (".space >> nth=0", ".space-power >> nth=0", ".track h3 >> nth=0", ".mark-bot"):
        page.locator(f".board {tapped}").first.click(force=True)
        page.wait_for_selector("#rules-of-table:popover-open .explained")
        assert page.inner_text("#rules-of-table .explained").strip()
        page.evaluate("document.getElementById('rules-of-table').hidePopover()")
    assert guest.errors == []
