"""A newcomer goes through the whole tutorial on a phone, up to the first game."""

import re

import pytest

from games.tutorial import LESSONS

PHONE = {"width": 390, "height": 844}


def is_right(lesson, choice: str) -> bool:
    return choice in lesson.right or choice.partition(":")[0] in lesson.right


@pytest.mark.parametrize(
    ("language", "name"), [("en", "Tessa"), pytest.param("ja", "みどり", marks=pytest.mark.nightly)]
)
def test_a_newcomer_learns_on_a_phone_and_plays(site, newcomer, language, name):
    guest = newcomer(site, name, language=language)
    page = guest.page
    page.set_viewport_size(PHONE)
    page.goto("/")
    page.click("a[href='/tutorial/']")
    page.click("#tutorial-start")
    for lesson in LESSONS:
        page.wait_for_url(re.compile(rf"/tutorial/{lesson.slug}/\??$"))
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        buttons = page.locator("#panel-action button[name=choice]")
        values = [button.get_attribute("value") for button in buttons.all()]
        wrong = [value for value in values if not is_right(lesson, value)]
        if wrong:
            page.click(f"#panel-action button[value='{wrong[0]}']")
            assert page.inner_text(".lesson-why").strip()
        right = next(value for value in values if is_right(lesson, value))
        page.click(f"#panel-action button[value='{right}'] >> nth=0")
        page.wait_for_selector(".lesson-told")
        page.click("#lesson-next")
    page.wait_for_url(re.compile(r"/tutorial/play/\??$"))
    page.fill("#id_name", guest.name)
    page.click("#play-now")
    page.wait_for_selector("#panel-you .role")
    assert guest.errors == []


@pytest.mark.nightly
def test_a_newcomer_learns_by_keys_alone(site, newcomer):
    page = newcomer(site, "Kaya").page
    page.goto("/tutorial/role/")
    page.keyboard.press("Enter")
    page.wait_for_selector("#lesson-next")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/tutorial/nominate/"))
    page.keyboard.press("5")
    page.keyboard.press("Enter")
    page.wait_for_selector("#lesson-next")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/tutorial/vote/"))
    page.keyboard.press("n")
    page.wait_for_selector(".lesson-told")
