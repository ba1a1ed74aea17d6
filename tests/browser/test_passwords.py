"""A password can be shown while it is typed, and is sent as before."""

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.nightly]


def test_one_switch_shows_a_password_and_hides_it_again(site, newcomer) -> None:
    stranger = newcomer(site, "Hasło")
    page = stranger.page
    page.goto("/account/register/")
    kind = "document.querySelector('[name=password1]').type"
    page.fill("[name=password1]", "1234")

    page.click("text=Show password")
    assert page.evaluate(kind) == "text"
    page.click("text=Hide password")
    assert page.evaluate(kind) == "password"

    page.click("text=Show password")
    page.fill("[name=username]", "Hasło")
    page.click(".form .primary")
    # The answer hides it again.
    page.wait_for_selector(".errorlist")
    assert page.evaluate(kind) == "password"
    assert stranger.errors == []
