"""A phone's first visit: the server knows no time zone yet, and fields do not zoom the page."""

import pytest

from tests.browser.person import PASSWORD
from tests.csrf_token import CSRF_TOKEN

pytestmark = pytest.mark.nightly

FIELDS = "input:not([type=hidden], [type=checkbox], [type=radio], [hidden]), select, textarea"


def test_a_phone_s_first_page_tells_its_own_times_and_no_field_makes_it_zoom(site, chromium):
    origin = f"http://127.0.0.1:{site.port}"
    context = chromium.new_context(
        base_url=origin,
        timezone_id="Asia/Tokyo",
        has_touch=True,
        viewport={"width": 390, "height": 844},
    )
    context.add_cookies([{"name": "csrftoken", "value": CSRF_TOKEN, "url": origin}])
    form = {"username": "First-visit", "password1": PASSWORD}
    headers = {"X-CSRFToken": CSRF_TOKEN}
    answer = context.request.post("/account/register/", form=form, headers=headers)
    assert answer.url == f"{origin}/", answer.text()
    page = context.new_page()

    for zone in ("GMT+9", "JST"):
        page.goto("/account/sessions/")
        page.wait_for_function(
            "zone => document.querySelector('time').textContent.endsWith(zone)", arg=zone
        )
    for path in (
        "/archive/",
        "/tables/new/",
        "/account/preferences/",
        "/find/",
        "/account/people/",
    ):
        page.goto(path)
        sizes = page.eval_on_selector_all(
            FIELDS, "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
        )
        assert min(sizes, default=16) >= 16, path
    context.close()
