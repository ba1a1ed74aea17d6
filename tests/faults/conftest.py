"""Shared sites, one per database, for the tests that do not need a site of their own."""

import logging
from collections.abc import Iterator

import pytest

from tests.faults.site import BOTH, Site

# Programs that set up Django themselves; pytest must not import them.
collect_ignore = ["beside.py", "contest.py"]

# One line per request would hide everything else.
logging.getLogger("httpx").setLevel(logging.WARNING)
logging.getLogger("httpcore").setLevel(logging.WARNING)


@pytest.fixture(scope="package", params=BOTH)
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    """Yield a site whose bots think quickly and whose shortest decisions take two seconds."""
    with Site(request.param, BOT_PAUSE="0.3", PACE_SCALE="0.1") as site:
        yield site
        assert site.errors() == []
