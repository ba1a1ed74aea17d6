import re
from collections.abc import Iterator

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from config.celery import app

PASSWORD = "a long way to Tipperary"


@pytest.fixture(autouse=True)
def _nobody_has_tried_yet() -> Iterator[None]:
    """Clear the cache before and after each test: allauth counts its rate limits there."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture(autouse=True)
def _work_is_done_at_once() -> Iterator[None]:
    """Run Celery tasks (mails, exports) at once, without a worker."""
    before = app.conf.task_always_eager
    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = before


@pytest.fixture
def with_mail(settings) -> None:
    """Set up a site that sends mail, as where the owner has set EMAIL_URL."""
    settings.MAIL_IS_CONFIGURED = settings.MAIL_ARRIVES = True
    settings.MFA_ALLOW_UNVERIFIED_EMAIL = False


@pytest.fixture
def without_mail(settings) -> None:
    """Set up a public site that sends no mail, as where EMAIL_URL is not set."""
    settings.MAIL_IS_CONFIGURED = settings.MAIL_ARRIVES = False


@pytest.fixture
def ada(db) -> User:
    return a_user("Ada", "ada@example.com")


@pytest.fixture
def at_home(ada) -> Client:
    """Return Ada's browser, which has just signed in with her password."""
    return signed_in("Ada")


def a_user(name: str, email: str = "", **fields: object) -> User:
    user = User.objects.create_user(name, email, PASSWORD, **fields)
    if email:
        user.emailaddress_set.create(email=email, primary=True, verified=True)
    return user


def signed_in(name: str, **headers: str) -> Client:
    client = Client(**headers)
    answer = client.post("/account/sign-in/", {"login": name, "password": PASSWORD})
    assert answer.status_code == 302, answer.content.decode()
    return client


def confirms(client: Client, password: str = PASSWORD) -> Client:
    """Enter the password again, as sensitive pages require, and return the client."""
    assert client.post("/account/confirm/", {"password": password}).status_code == 302
    return client


def code_in(message: mail.EmailMessage) -> str:
    """Return the code that stands alone in a paragraph of the message."""
    return re.search(r"^([A-Z0-9]{4}-[A-Z0-9]{4})$", message.body, re.MULTILINE)[1]
