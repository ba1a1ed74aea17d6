"""PostgreSQL goes away, or hangs, which for a client looks quite different."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.faults.site import Site

pytestmark = [pytest.mark.nightly, pytest.mark.postgres]

# Far more than an answer takes on a busy machine, and less than a web process lets anybody wait.
SECONDS = 20
# No table has it, so its socket is refused after a look at the database.
UNKNOWN = "/live/tables/zzzzzzzz/"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site("postgres") as site:
        yield site


def page(site: Site) -> int:
    return httpx.get(site.url, trust_env=False, timeout=SECONDS).status_code


def handshake(site: Site) -> int:
    live = f"ws{site.url.removeprefix('http')}{UNKNOWN}"
    with pytest.raises(InvalidStatus) as refused:
        connect(live, origin=site.url, open_timeout=SECONDS)
    return int(refused.value.response.status_code)


@pytest.mark.parametrize(
    ("goes", "comes"), [(Site.suspend, Site.resume), (Site.keep_down, Site.let_up)]
)
def test_pages_and_sockets_are_put_off_until_the_database_is_back(
    site: Site, goes: Callable[[Site, str], None], comes: Callable[[Site, str], None]
) -> None:
    site.wait_until_it_answers()
    assert handshake(site) == 403
    with ThreadPoolExecutor(8) as visitors:
        # Some have a statement on its way when it goes.
        answers = [visitors.submit(page, site) for _ in range(40)]
        answers[8].result()
        goes(site, "postgres")
        try:
            assert {answer.result() for answer in answers} <= {200, 503}
            for _ in range(3):
                assert (page(site), handshake(site)) == (503, 503)
        finally:
            comes(site, "postgres")
    site.wait_until_it_answers()
    assert handshake(site) == 403
