"""Sites for the tests whose own stories do not need one of their own: one for each database."""

import logging
from collections.abc import Iterator

import pytest

from tests.faults.site import DATABASES, Site

# Programs, which set themselves up: nobody imports them.
collect_ignore = ["beside.py", "contest.py"]

# A line a request would hide everything else.
logging.getLogger("httpx").setLevel(logging.WARNING)
logging.getLogger("httpcore").setLevel(logging.WARNING)


@pytest.fixture(scope="session", params=DATABASES)
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    """A site whose bots think quickly, and whose shortest decisions take two seconds."""
    with Site(request.param, BOT_PAUSE="0.3", PACE_SCALE="0.1") as site:
        yield site
        assert site.errors() == []
