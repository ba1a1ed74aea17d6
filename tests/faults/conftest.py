"""Sites that nothing befalls but the crowd: one for each database, shared by the tests."""

import logging
from collections.abc import Iterator

import pytest

from tests.faults.site import DATABASES, Site

# A line a request would hide everything else.
logging.getLogger("httpx").setLevel(logging.WARNING)
logging.getLogger("httpcore").setLevel(logging.WARNING)


@pytest.fixture(scope="session", params=DATABASES)
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    with Site(request.param, BOT_PAUSE="0.05", PACE_SCALE="0.05") as site:
        yield site
        assert site.errors() == []
