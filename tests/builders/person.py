"""Users with a browser: they read pages, press buttons and post arbitrary data."""

from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client

from accounts.models import User
from games.models import Table
from tests.csrf_token import CSRF_TOKEN


@dataclass
class Form:
    """A form of a page: its action, its hidden fields and its buttons."""

    action: str
    fields: dict[str, str] = field(default_factory=dict)
    # Each button's id, name and value. Disabled buttons are left out.
    buttons: list[tuple[str, str, str]] = field(default_factory=list)


def _is_sent(values: dict[str, str]) -> bool:
    """Return whether a browser submits this input: boxes and radio buttons only if checked."""
    return values.get("type") not in ("checkbox", "radio") or "checked" in values


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._is_inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(values.get("action", "")))
            self._is_inside = True
        elif not self._is_inside:
            return
        elif tag == "input" and "name" in values and _is_sent(values):
            usual = "on" if values.get("type") == "checkbox" else ""
            self.forms[-1].fields[values["name"]] = values.get("value", usual)
        elif tag == "button" and "disabled" not in values:
            button = (values.get("id", ""), values.get("name", ""), values.get("value", ""))
            self.forms[-1].buttons.append(button)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._is_inside = False


def forms_of(html: str) -> list[Form]:
    parser = _Forms()
    parser.feed(html)
    return parser.forms


def session_of(user: User) -> str:
    """Return the key of a new session of `user`, who signed in earlier at an unknown browser.

    A test of what happens at the sign-in calls `Client.force_login`, at ten times the cost.
    """
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return session.session_key


class Person:
    """A browser on a table's page, signed in as `user`, or not signed in if `user` is None."""

    # tests/conftest.py sets this for coroutine tests, which must not query the database later.
    signs_in_at_once = False

    def __init__(self, user: User | None, table: Table, language: str = "en") -> None:
        self.user = user
        self.table = table
        self.language = language
        if Person.signs_in_at_once:
            self.client  # noqa: B018  made when it is first asked for

    @cached_property
    def client(self) -> Client:
        """Sign in on first use: most tests need only one or two of a table's five users."""
        client = Client(enforce_csrf_checks=True, raise_request_exception=True)
        client.cookies["csrftoken"] = CSRF_TOKEN
        if self.user is not None:
            client.cookies[settings.SESSION_COOKIE_NAME] = session_of(self.user)
        return client

    @property
    def url(self) -> str:
        return self.table.get_absolute_url()

    def get(self, path: str, **headers: str):
        headers.setdefault("HTTP_ACCEPT_LANGUAGE", self.language)
        return self.client.get(path, **headers)

    def post(self, path: str, data: dict | None = None, *, htmx: bool = False, **headers: str):
        """Post a form with the CSRF token."""
        headers.setdefault("HTTP_ACCEPT_LANGUAGE", self.language)
        # Signing in replaces the browser's token.
        headers.setdefault("HTTP_X_CSRFTOKEN", self.client.cookies["csrftoken"].value)
        if htmx:
            headers["HTTP_HX_REQUEST"] = "true"
        return self.client.post(path, data or {}, **headers)

    def page(self) -> str:
        """Return the table's page with all that a page leaves for later."""
        answer = self.get(f"{self.url}?whole=1")
        assert answer.status_code == 200
        return answer.content.decode()

    def form_with(self, button: str) -> tuple[Form, tuple[str, str, str]]:
        """Return the page's form with this button, by the button's value or id."""
        for form in forms_of(self.page()):
            for found in form.buttons:
                if button in (found[2], found[0]):
                    return form, found
        raise AssertionError(f"{self.user} has no button {button}")

    def choices(self) -> list[str]:
        """Return the moves that the page offers now, such as "nominate:2"."""
        forms = forms_of(self.page())
        return [value for form in forms for _, name, value in form.buttons if name == "choice"]

    def press(self, button: str, *, htmx: bool = False, **changes: str):
        """Press a button of the page, by its value ("nominate:2") or its id ("start")."""
        form, (_, name, value) = self.form_with(button)
        data = form.fields | ({name: value} if name else {}) | changes
        data.pop("csrfmiddlewaretoken")
        return self.post(form.action, data, htmx=htmx)
