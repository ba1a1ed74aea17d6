"""A person at a real browser, who reads, presses buttons and waits."""

from typing import Any

from playwright.sync_api import TimeoutError as TookTooLong

from tests.browser.line import Line
from tests.csrf_token import CSRF_TOKEN

PASSWORD = "correct horse battery"


class Person:
    """A browser context with its own `Line`, which records every byte received."""

    def __init__(
        self,
        browser: Any,
        port: int,
        name: str,
        *,
        language: str = "en",
        javascript: bool = True,
        width: int = 1280,
        height: int = 800,
        motion: bool = False,
    ) -> None:
        self.name = name
        self.language = language
        self.javascript = javascript
        self.line = Line("127.0.0.1", port)
        self.context = browser.new_context(
            base_url=self.line.url,
            locale=language,
            java_script_enabled=javascript,
            viewport={"width": width, "height": height},
            # Without a graphics card each moment of a game costs seconds of a core.
            reduced_motion="no-preference" if motion else "reduce",
        )
        self.context.set_default_timeout(60_000)
        self.page = self.context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self._voted_in = ""

    def leave(self) -> None:
        self.context.close()
        self.line.close()

    def register(self) -> None:
        """Create an account and show the lobby. If a first try of the test made it, sign in.

        The form is posted without being shown, which takes half the time; the tests of keyboards
        fill it in.
        """
        self.context.add_cookies([{"name": "csrftoken", "value": CSRF_TOKEN, "url": self.line.url}])
        answer = self._send("/account/register/", username=self.name, password1=PASSWORD)
        if answer.status == 200:
            answer = self._send("/account/sign-in/", login=self.name, password=PASSWORD)
        assert answer.status == 302 and answer.headers["location"] == "/", answer.text()
        self.page.goto("/")

    def _send(self, path: str, **form: str) -> Any:
        return self.context.request.post(
            path,
            form=form,
            headers={"X-CSRFToken": CSRF_TOKEN, "Accept-Language": self.language},
            max_redirects=0,
        )

    def look(self) -> None:
        """Bring the page up to date: without JavaScript it has to be reloaded."""
        if not self.javascript:
            self.page.reload()

    def ask_for_all_rows(self) -> None:
        """Bring the older rows that the page has left for later."""
        if not self.javascript:
            self.page.goto(f"{self.page.url.partition('?')[0]}?whole=1")
            return
        while link := self.page.query_selector("[data-panel] .earlier a, .phrase-call"):
            link.evaluate("link => link.click()")
            self.page.wait_for_function("link => !link.isConnected", arg=link)

    def post(self, action: str) -> None:
        """Press the button of the form that posts to `.../action/`."""
        self.page.click(f"form[action$='/{action}/'] button:not([type=button])")

    @property
    def is_over(self) -> bool:
        return self.page.locator("form[action$='/again/'], a[href$='/record/']").count() > 0

    def offer(self) -> tuple[str, list[str]]:
        """Return the decision that the page asks for and its choices; ("", []) if there is none."""
        # Read both in one call: between two calls the panel may be replaced.
        fields: list[list[str]] = self.page.eval_on_selector_all(
            "#panel-action input[name=decision], #panel-action button[name=choice]",
            "fields => fields.map(field => [field.name, field.value])",
        )
        decisions = [value for name, value in fields if name == "decision"]
        choices = [value for name, value in fields if name == "choice"]
        return (decisions[0] if decisions else ""), choices

    def press(self, choice: str) -> None:
        self.page.click(f"#panel-action button[name=choice][value='{choice}']")

    def play(self, choose: Any) -> bool:
        """Take the decision that the page asks for, if any; return whether there was one."""
        self.look()
        decision, choices = self.offer()
        if not choices or decision == self._voted_in:
            return False
        if choices[0].startswith("vote:"):
            # A ballot may be changed, so the buttons stay; one ballot is enough here.
            self._voted_in = decision
        try:
            self.press(choose(self, choices))
        except TookTooLong:
            # The clock was faster, or another player's move has changed the decision.
            if self.offer()[0] == decision:
                raise
            return True
        if self.javascript:
            self.page.wait_for_function(
                """decision => {
                    const field = document.querySelector("#panel-action input[name=decision]");
                    return !field || field.value !== decision
                        || document.querySelector("#panel-action [aria-pressed=true]");
                }""",
                arg=decision,
            )
        return True
