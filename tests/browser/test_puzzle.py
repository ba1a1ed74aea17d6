"""The puzzle of a day in a browser, on a phone."""

import pytest

from tests.browser.conftest import Site

pytestmark = pytest.mark.browser


def test_a_visitor_asks_for_evidence_answers_and_sees_the_truth(site: Site, chromium) -> None:
    context = chromium.new_context(
        viewport={"width": 390, "height": 844},
        locale="en",
        base_url=f"http://127.0.0.1:{site.port}",
    )
    page = context.new_page()
    page.goto("/puzzle/")
    page.locator("[name=seat_0][value=hitler]").check(force=True)
    page.click(".puzzle-bar [name=more]")
    page.wait_for_url("**/#new")
    assert page.inner_text("#answer h2").replace("\xa0", " ") == "Evidence: part 2 of 5"
    # The mark is still there.
    assert page.is_checked("[name=seat_0][value=hitler]")
    for seat in (1, 2):
        page.locator(f"[name=seat_{seat}][value=fascist]").check(force=True)
    page.click("#solve")
    page.wait_for_selector(".puzzle-truth")
    assert page.locator(".puzzle-truth tbody tr").count() == 7
    assert page.inner_text(".puzzle-answer .puzzle-day").startswith("1")
    page.click(".puzzle-answer a.primary")
    page.wait_for_selector("[data-replay]")
    assert page.locator(".seat-role").count() == 7
    context.close()


@pytest.mark.nightly
@pytest.mark.parametrize("scripts", [True, False])
def test_a_phone_leads_to_what_is_new_and_a_refusal_to_the_form(
    site: Site, chromium, scripts: bool
) -> None:
    context = chromium.new_context(
        viewport={"width": 390, "height": 844},
        java_script_enabled=scripts,
        locale="en",
        base_url=f"http://127.0.0.1:{site.port}",
    )
    page = context.new_page()
    page.goto("/puzzle/")
    task, price = page.locator(".puzzle-task"), page.locator(".puzzle-bar [name=more]")
    for part in (task, price):
        box = part.bounding_box()
        assert box["y"] > 0 and box["y"] + box["height"] <= 844
    assert task.bounding_box()["y"] < page.locator(".seats").bounding_box()["y"]

    price.click()
    page.wait_for_url("**/#new")
    new = page.locator(".term.is-new").first.bounding_box()
    assert 0 <= page.locator("#new").bounding_box()["y"] < new["y"] < 700
    assert page.locator(".term.is-new .new-mark").first.is_visible()

    page.click(".puzzle-bar a")
    page.click("#solve")
    refused = page.locator("#answer [role=alert]")
    refused.wait_for()
    assert 0 <= refused.bounding_box()["y"] < 400
    context.close()
