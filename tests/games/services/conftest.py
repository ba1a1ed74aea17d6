"""Five browsers for a sealed table."""

import pytest

from config.celery import app
from tests.builders.sealing import Browser
from tests.builders.tables import NAMES


@pytest.fixture
def browsers(db) -> list[Browser]:
    return [Browser(name) for name in NAMES[:5]]


@pytest.fixture
def reachable_users(settings):
    """Let the site send mails and pushes, by Celery tasks that run at once."""
    settings.SITE_ORIGIN = "https://play.example"
    settings.MAIL_ARRIVES = settings.MAIL_IS_CONFIGURED = True
    settings.VAPID_KEY = "x_yBIdiXPUKHyYMvNvfVv0Iyn4bvUcfz1_OKKpMAYWc"
    # Celery reads its settings once, so `settings` may be too late.
    before, app.conf.task_always_eager = app.conf.task_always_eager, True
    yield
    app.conf.task_always_eager = before
