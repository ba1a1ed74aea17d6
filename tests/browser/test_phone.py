"""A phone: what was said and claimed is counted, and an invitation leads to a seat."""

import pytest

from tests.browser.person import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

COUNT = ".talk-call [data-unread]"


def open_table(host, *, is_private: bool) -> str:
    """Open a table of five, and return the address that the host sends to others."""
    host.page.goto("/tables/new/")
    host.page.select_option("select[name=seats_wanted]", "5")
    host.page.check("input[name=pace][value=relaxed]")
    if is_private:
        host.page.check("input[name=visibility][value=private]")
    host.page.click("#open")
    host.page.wait_for_selector("#panel-seats")
    return host.page.input_value("#invite") if is_private else host.page.url


def say(person, text: str) -> None:
    person.page.fill("#say-text", text)
    person.page.click("#panel-say button[form=say]")
    person.page.wait_for_selector(f".said:has-text('{text}')")


def test_a_phone_counts_what_is_said_until_its_drawer_opens(site, newcomer) -> None:
    ada, boris = newcomer(site, "Ada-phone", width=390, height=844), newcomer(site, "Boris-phone")
    for person in (ada, boris):
        person.register()
    address = open_table(ada, is_private=False)
    boris.page.goto(address)
    boris.page.click("#join")
    boris.page.wait_for_selector("#leave")
    # The waiting room: the chat opens over the host's buttons.
    say(boris, "Good evening")
    ada.page.wait_for_selector(f"{COUNT}:text-is('1')")
    ada.page.click(".talk-call")
    ada.page.wait_for_selector(COUNT, state="hidden")
    assert ada.page.evaluate("scrollY") == 0
    ada.page.click(".talk-close")

    ada.page.click("#fill")
    ada.page.wait_for_selector("#start:not([disabled])")
    ada.page.click("#start")
    for person in (ada, boris):
        person.page.wait_for_selector("#panel-you .role")
    # The game. Bots may speak too.
    say(boris, "My first words")
    ada.page.wait_for_selector(".said:has-text('My first words')", state="attached")
    ada.page.wait_for_selector(COUNT)
    # What was said last stands below the button, for a while: the news of the game is behind it.
    ada.page.wait_for_selector(".talk-call[data-last*=': ']")
    ada.page.wait_for_selector(".talk-call[data-last='']")
    ada.page.click(".talk-call")
    ada.page.wait_for_selector(".said:has-text('My first words')")
    ada.page.wait_for_selector(COUNT, state="hidden")
    ada.page.click(".talk-close")
    say(boris, "More of them")
    ada.page.wait_for_selector(COUNT)


def test_a_phrase_waits_for_the_players_that_it_names(site, newcomer) -> None:
    ada = newcomer(site, "Ada-phrase", width=390, height=844)
    ada.register()
    page = ada.page
    page.click("form[action='/quick/'] button")
    page.wait_for_selector("#panel-you .role")
    page.click(".talk-call")
    page.click(".phrase-call")
    page.wait_for_selector("#phrase")

    page.select_option("#phrase", "trust_more")

    # Both players at once, and without them the phrase stays.
    assert page.locator(".phrase-second").is_visible()
    page.click(".phrase-send")
    page.wait_for_timeout(300)
    assert page.input_value("#phrase") == "trust_more"
    page.select_option("[name=first]", index=1)
    page.select_option("[name=second]", index=2)
    page.click(".phrase-send")
    page.wait_for_selector(".said")
    page.wait_for_function("() => document.getElementById('phrase').value === ''")


def test_an_invitation_leads_through_registration_to_a_seat(site, newcomer) -> None:
    host, friend = newcomer(site, "Hanna-phone"), newcomer(site, "雪子", width=390, height=844)
    host.register()
    address = open_table(host, is_private=True)

    friend.page.goto(address)
    friend.page.click("#panel-action a[href^='/account/register/']")
    friend.page.fill("[name=username]", friend.name)
    friend.page.fill("[name=password1]", PASSWORD)
    friend.page.click("form[action='/account/register/'] button:not([type=button])")

    friend.page.wait_for_selector("#leave")
    host.page.wait_for_selector(f".nameplate:has-text('{friend.name}')")
    # The browser that has just sat down takes its part in the seal, too.
    friend.page.wait_for_function(
        "() => document.querySelector('#seal-step')?.dataset.hash.length === 64"
    )


def test_a_call_reaches_an_open_page_and_leaves_the_header_free(site, newcomer) -> None:
    ada = newcomer(site, "Ada-called", width=390, height=844)
    host = newcomer(site, "Boris-calls")
    for person in (ada, host):
        person.register()
    # No other test's table is like this.
    ada.page.goto("/find/?language=it&players=9")
    ada.page.check("[name=how][value=hour]", force=True)
    ada.page.click("#find")
    ada.page.wait_for_selector("#stop-waiting")
    ada.page.goto("/rules/")
    assert ada.page.locator(".called form").count() == 0

    host.page.goto("/tables/new/")
    host.page.select_option("select[name=edition]", "it")
    host.page.select_option("select[name=least_seats]", "9")
    host.page.select_option("select[name=seats_wanted]", "10")
    host.page.click("#open")
    host.page.wait_for_selector("#panel-seats")

    ada.page.wait_for_selector(".called form")
    ada.page.wait_for_selector(".bell-count")
    header, bar = (ada.page.locator(part).bounding_box() for part in (".masthead", ".called"))
    assert bar["y"] >= header["y"] + header["height"]
    ada.page.click(".called form:first-of-type button")
    ada.page.wait_for_selector("#join")
    assert ada.errors == host.errors == []
