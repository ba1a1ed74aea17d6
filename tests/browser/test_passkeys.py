"""A passkey in a real browser with a virtual authenticator, under the site's own CSP.

The passkey is created, signs in, serves beside the password, and confirms sensitive actions.
"""

import re

import pytest

PASSWORD = "a long way to Tipperary"

pytestmark = pytest.mark.browser


@pytest.mark.nightly
def test_a_passkey_is_made_and_opens_the_account(chromium, site):
    # A passkey belongs to a domain name; an IP address cannot have one.
    root = f"http://localhost:{site.port}"
    context = chromium.new_context()
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    keys = context.new_cdp_session(page)
    keys.send("WebAuthn.enable")
    keys.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )

    def presses_the_key() -> None:
        page.click("form[data-passkey] button")

    def signs_out() -> None:
        page.goto(f"{root}/account/sessions/")
        page.click("button[value=all]")
        page.wait_for_url("**/sign-in/")

    page.goto(f"{root}/account/register/")
    page.fill("[name=username]", "Wanda")
    page.fill("[name=password1]", PASSWORD)
    page.click("main button.primary")
    page.wait_for_url(f"{root}/")

    page.goto(f"{root}/account/second-factor/keys/new/")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    page.wait_for_url("**/keys/new/")
    presses_the_key()
    page.wait_for_url("**/second-factor/codes/")
    assert len(re.findall(r"<code>\d{8}</code>", page.content())) == 10

    signs_out()
    presses_the_key()
    page.wait_for_url(f"{root}/")
    assert "Wanda" in page.inner_text(".masthead-user")

    signs_out()
    page.fill("[name=login]", "Wanda")
    page.fill("[name=password]", PASSWORD)
    page.click("form:has([name=login]) button.primary")
    page.wait_for_url("**/sign-in/second-factor/")
    presses_the_key()
    page.wait_for_url(f"{root}/")

    page.goto(f"{root}/account/confirm/passkey/?next=/account/close/")
    presses_the_key()
    page.wait_for_url("**/account/close/")

    assert complaints == []
    context.close()
