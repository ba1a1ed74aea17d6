"""What was typed or pressed is not lost: the page sends it again, or keeps it until it stands."""

from contextlib import suppress

import pytest
from playwright.sync_api import Error

from tests.browser.opening import gathered, open_table

pytestmark = pytest.mark.browser

BUSY = {"status": 503, "body": "Too many requests at once.\n", "headers": {"Retry-After": "1"}}
DRAFTS = "Object.keys(sessionStorage).filter(name => name.startsWith('draft'))"


def shows(person, selector: str, text: str) -> None:
    """Wait until the field has this text: the script that remembers it comes after the page."""
    person.page.wait_for_function(
        "([selector, text]) => document.querySelector(selector).value === text",
        arg=[selector, text],
        timeout=15_000,
    )


def at_table(site, newcomer, name: str):
    ada = newcomer(site, name)
    ada.register()
    open_table(ada, seats=5, pace="relaxed")
    return ada


def answer_is_lost(route) -> None:
    route.fetch()
    # On a busy machine the page may have given up before.
    with suppress(Error):
        route.abort()


def test_what_got_no_answer_or_a_busy_one_is_sent_again_and_counts_once(site, newcomer) -> None:
    ada, *_ = gathered(site, newcomer, "Busy")
    page = ada.page
    page.evaluate("window.isFirst = true")
    page.route("**/act/", lambda route: route.abort(), times=1)
    page.route("**/act/", lambda route: route.fulfill(**BUSY), times=1)
    page.route("**/say/", answer_is_lost, times=1)
    page.route("**/say/", lambda route: route.fulfill(**BUSY), times=1)

    page.click("#panel-action button[value='vote:ja']")
    page.fill("#say-text", "Good evening")
    page.press("#say-text", "Enter")

    page.wait_for_selector("#network:has-text('Not sent yet'), #network:has-text('Your move')")
    assert page.input_value("#say-text") == "Good evening"
    page.wait_for_selector("#panel-talk :text('Good evening')")
    page.wait_for_selector("#panel-action button[value='vote:ja'][aria-pressed=true]")
    page.locator("#network").wait_for(state="hidden")
    assert page.input_value("#say-text") == ""
    assert page.locator("#panel-talk :text-is('Good evening')").count() == 1
    # No answer has loaded the page again.
    assert page.evaluate("window.isFirst")


@pytest.mark.nightly
def test_a_message_stays_in_its_box_while_the_site_stays_busy(site, newcomer) -> None:
    ada = at_table(site, newcomer, "Stubborn")
    page = ada.page
    page.route("**/say/", lambda route: route.fulfill(**BUSY))

    page.fill("#say-text", "Anyone here?")
    page.press("#say-text", "Enter")

    page.wait_for_selector("#network:has-text('Your last request didn’t go through')")
    page.unroute("**/say/")
    page.reload()
    shows(ada, "#say-text", "Anyone here?")
    page.press("#say-text", "Enter")
    page.wait_for_selector("#panel-talk :text('Anyone here?')")
    page.reload()
    page.wait_for_timeout(1_000)
    assert page.input_value("#say-text") == ""


def test_typed_words_survive_answers_that_refuse_the_page_itself(site, newcomer) -> None:
    ada = at_table(site, newcomer, "Expired")
    page = ada.page
    page.route("**/say/", lambda route: route.fulfill(status=403, body="No"), times=1)
    page.route("**/notes/", lambda route: route.abort() if route.request.method == "POST"
               else route.continue_())  # fmt: skip
    page.check(".sheet-tabs [value=notes]", force=True)
    page.wait_for_selector("#notes-text").fill("Bela lies")
    page.wait_for_selector("#notes-state :text('Not saved yet')")

    page.check(".sheet-tabs [value=talk]", force=True)
    page.fill("#say-text", "Who is late?")
    with page.expect_navigation():
        page.press("#say-text", "Enter")
    page.unroute("**/notes/")

    shows(ada, "#say-text", "Who is late?")
    page.check(".sheet-tabs [value=notes]", force=True)
    # They are typed in again, and so they are saved.
    page.wait_for_selector("#notes-state :text('Saved')")
    assert page.input_value("#notes-text") == "Bela lies"
    assert [name for name in page.evaluate(DRAFTS) if "notes" in name] == []


@pytest.mark.nightly
def test_a_plain_form_keeps_its_words_until_they_stand(site, newcomer) -> None:
    ada = newcomer(site, "Plain")
    ada.register()
    page = ada.page
    page.goto("/account/name/")
    page.fill("#id_username", "Plainer")
    page.eval_on_selector(
        "main [name=csrfmiddlewaretoken]", "field => { field.value = 'x'.repeat(64) }"
    )
    page.click("main button.primary")
    page.wait_for_selector("h1:has-text('This form has expired')")

    page.goto("/account/name/")
    shows(ada, "#id_username", "Plainer")
    # A form that comes back to be mended has not taken them.
    page.fill("#id_username", "?!")
    page.click("main button.primary")
    page.wait_for_selector("main [aria-invalid=true]")
    page.goto("/account/name/")
    shows(ada, "#id_username", "?!")
    page.fill("#id_username", "Plainer")
    page.click("main button.primary")

    page.wait_for_selector("h1:has-text('Your account')")
    page.wait_for_function(f"!{DRAFTS}.length")

    # Nor does every page that has taken them redirect.
    page.goto("/account/bots/")
    page.fill("#name", "Robo")
    # Who leaves before the form is sent keeps them.
    page.evaluate(
        """() => {
            document.getElementById("name").form.requestSubmit();
            document.querySelector("a[href='/rules/']").click();
        }"""
    )
    page.wait_for_url("**/rules/")
    page.goto("/account/bots/")
    shows(ada, "#name", "Robo")
    page.click("main button.primary")
    page.wait_for_selector("h2:has-text('Robo')")
    page.wait_for_function(f"!{DRAFTS}.length")
    assert page.input_value("#name") == ""


@pytest.mark.nightly
def test_passwords_and_what_a_reader_typed_before_signing_out_are_not_kept(site, newcomer) -> None:
    ada = at_table(site, newcomer, "Secret")
    page = ada.page
    page.fill("#say-text", "half a sentence")
    assert len(page.evaluate(DRAFTS)) == 1
    page.click(
        ".masthead-account form[action$='/sign-out/'] button, form[action$='/sign-out/'] button"
    )
    page.wait_for_url(lambda url: "/tables/" not in url)
    page.goto("/account/sign-in/")
    page.fill("[name=login]", "Secret")
    page.fill("[name=password]", "correct horse")
    page.click("[data-shows-password]")
    page.fill("[name=password]", "correct horse battery")

    assert "horse" not in page.evaluate("JSON.stringify({ ...sessionStorage })")
    assert "sentence" not in page.evaluate("JSON.stringify({ ...sessionStorage })")
