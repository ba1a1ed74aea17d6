"""The puzzle of a day in a browser, on a phone, in two languages."""

import pytest

from tests.browser.conftest import Site

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("language", "evidence"), [("en", "Evidence: part 2 of 5"), ("pl", "Dowody: część 2 z 5")]
)
def test_a_visitor_asks_for_evidence_answers_and_sees_the_truth(
    site: Site, chromium, language: str, evidence: str
) -> None:
    context = chromium.new_context(
        viewport={"width": 390, "height": 844},
        locale=language,
        base_url=f"http://127.0.0.1:{site.port}",
    )
    page = context.new_page()
    page.goto("/puzzle/")
    page.locator("[name=seat_0][value=hitler]").check(force=True)
    page.click("#more")
    assert page.inner_text("#answer h2").replace("\xa0", " ") == evidence
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


BELOW_THE_WINDOW = """parts => parts.filter(part => [...document.querySelectorAll(part)]
    .some(it => it.getBoundingClientRect().bottom > innerHeight))"""


def test_a_laptop_shows_the_question_the_table_and_the_answer_at_once(site: Site, newcomer) -> None:
    page = newcomer(site, "Puzzled", width=1280, height=720).page
    page.goto("/puzzle/")
    assert (
        page.evaluate(BELOW_THE_WINDOW, ["h1", ".nameplate", ".panel-tracks", "#solve", "#more"])
        == []
    )
