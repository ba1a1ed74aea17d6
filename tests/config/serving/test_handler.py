"""Requests wait for threads: one client's do not hold up another's, nor passwords anything else."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from threading import Event

import pytest
from channels.testing import HttpCommunicator
from django.http import HttpRequest, HttpResponse
from django.urls import path

from config.serving.handler import ThreadedHandler

ADA, BORIS = "203.0.113.1", "203.0.113.2"


class Work:
    """What the slow view waits for, and how many requests have come to it."""

    def __init__(self) -> None:
        self.may_end = Event()
        self.begun: list[str] = []


work = Work()


def slow(request: HttpRequest) -> HttpResponse:
    work.begun.append(request.headers.get("X-Forwarded-For", request.META["REMOTE_ADDR"]))
    work.may_end.wait(20)
    return HttpResponse("slow")


def quick(request: HttpRequest) -> HttpResponse:
    return HttpResponse("quick")


urlpatterns = [
    path("slow/", slow),
    path("quick/", quick),
    path("password/", slow, name="password"),
]


@pytest.fixture(autouse=True)
def _views(settings) -> Iterator[None]:
    global work
    work = Work()
    settings.ROOT_URLCONF = __name__
    settings.MIDDLEWARE = []
    settings.PASSWORD_VIEWS = {"password"}
    yield
    work.may_end.set()


class Site:
    """A handler with eight threads, and the requests that are on their way."""

    def __init__(self) -> None:
        self.handler = ThreadedHandler(threads=8, queue=40)
        self.asked: list[asyncio.Task[int]] = []

    def begin(self, path: str, *, peer: str, times: int = 1, **how: str) -> None:
        self.asked += [asyncio.create_task(self.ask(path, peer=peer, **how)) for _ in range(times)]

    async def ask(
        self, path: str, *, peer: str, method: str = "GET", root: str = "", forwarded: str = ""
    ) -> int:
        headers = [(b"host", b"localhost")]
        if forwarded:
            headers.append((b"x-forwarded-for", forwarded.encode()))
        asked = HttpCommunicator(self.handler, "GET", path, headers=headers)
        asked.scope |= {"client": (peer, 4711), "method": method, "root_path": root}
        return (await asked.get_response(timeout=20))["status"]

    async def begun(self, requests: int) -> None:
        """Waits until as many requests have come to the slow view, and no more come."""
        async with asyncio.timeout(20):
            while len(work.begun) < requests:
                await asyncio.sleep(0.01)
        assert await self.ask("/quick/", peer="198.51.100.9") == 200
        assert len(work.begun) == requests


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    site = Site()
    yield site
    work.may_end.set()
    await asyncio.gather(*site.asked)


# Clients ------------------------------------------------------------------------------------------


async def test_requests_of_one_address_take_one_thread_and_leave_the_others_free(site):
    site.begin("/slow/", peer=ADA, times=9)
    await site.begun(1)

    assert await site.ask("/quick/", peer=BORIS) == 200

    work.may_end.set()
    assert await asyncio.gather(*site.asked) == [200] * 9


async def test_addresses_of_one_ipv6_network_are_one_client(site):
    for number in range(4):
        site.begin("/slow/", peer=f"2001:db8::{number}")

    await site.begun(1)


async def test_behind_a_trusted_proxy_clients_are_told_apart(site, settings):
    settings.TRUSTED_PROXIES = 1
    for name in (ADA, BORIS):
        site.begin("/slow/", peer="10.0.0.1", forwarded=name, times=3)

    await site.begun(2)

    assert sorted(work.begun) == [ADA, BORIS]


async def test_a_client_that_fills_its_part_of_the_queue_is_told_to_come_again(site):
    site.begin("/slow/", peer=ADA, times=1 + 10)
    await site.begun(1)

    assert await site.ask("/slow/", peer=ADA) == 503
    assert await site.ask("/quick/", peer=BORIS) == 200


# Passwords ----------------------------------------------------------------------------------------


async def test_posts_of_passwords_take_none_of_the_other_requests_threads(site):
    for number in range(14):
        site.begin("/password/", peer=f"203.0.113.{number}", method="POST")
    await site.begun(2)

    assert await site.ask("/quick/", peer=BORIS) == 200


@pytest.mark.parametrize(
    "how", [{"method": "post"}, {"method": "POST", "root": "/of/a/proxy"}], ids=["case", "root"]
)
async def test_they_are_known_however_they_are_written(site, how):
    for number in range(3):
        path = how.get("root", "") + "/password/"
        site.begin(path, peer=f"203.0.113.{number}", **how)

    await site.begun(2)


async def test_looking_at_such_a_page_is_a_request_like_any_other(site):
    for number in range(3):
        site.begin("/password/", peer=f"203.0.113.{number}")

    await site.begun(3)


async def test_when_too_many_passwords_wait_the_next_is_told_to_come_again(site):
    for number in range(2 + 80):
        site.begin("/password/", peer=f"203.0.113.{number}", method="POST")
    await site.begun(2)

    assert await site.ask("/password/", peer="198.51.100.7", method="POST") == 503


# What a refusal says ------------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "comes_again"), [("GET", True), ("POST", False)])
async def test_a_browser_that_is_refused_gets_a_page_in_its_language_that_comes_again(
    site, settings, method, comes_again
):
    site.begin("/slow/", peer=ADA, times=1 + 10)
    await site.begun(1)
    settings.ROOT_URLCONF = "config.urls"
    headers = [
        (b"host", b"localhost"), (b"accept", b"text/html,*/*"), (b"accept-language", b"ru"),
    ]  # fmt: skip

    asked = HttpCommunicator(site.handler, method, "/slow/", headers=headers)
    asked.scope["client"] = (ADA, 4711)
    answer = await asked.get_response(timeout=20)

    given = {name.decode(): value.decode() for name, value in answer["headers"]}
    assert answer["status"] == 503
    assert 'lang="ru"' in answer["body"].decode()
    assert ("refresh" in given) is comes_again
    assert 2 <= int(given["retry-after"]) <= 5
    assert "unsafe" not in given["content-security-policy"]
    assert given["x-content-type-options"] == "nosniff"
    assert given["cache-control"] == "no-store"


async def test_a_program_that_is_refused_gets_a_line_of_text(site):
    site.begin("/slow/", peer=ADA, times=1 + 10)
    await site.begun(1)

    asked = HttpCommunicator(site.handler, "GET", "/slow/", headers=[(b"host", b"localhost")])
    asked.scope["client"] = (ADA, 4711)

    assert (await asked.get_response(timeout=20))["body"] == b"Too many requests at once.\n"
