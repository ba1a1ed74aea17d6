"""A moderator, and no memory of outages and switches."""

import pytest

from accounts.site.switches import forget_switches
from games.services import outages
from tests.builders.moderation import moderator


@pytest.fixture(autouse=True)
def _as_in_the_morning():
    outages.forget()
    forget_switches()
    yield
    outages.forget()
    forget_switches()


@pytest.fixture
def mira(db):
    return moderator()
