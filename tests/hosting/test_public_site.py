"""The public site in real processes: TLS, cookies, sockets, health checks and the log."""

import asyncio
import http.client
import json
import re
import ssl
from collections.abc import Iterator

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.hosting.public_site import METRICS_TOKEN, PATIENCE, PublicSite, public_site


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[PublicSite]:
    with public_site(tmp_path_factory.mktemp("site")) as site:
        yield site


def trusting(site: PublicSite) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(site.certificate))


def ask(site: PublicSite, path: str, *, port: int = 0, tls: bool = True, **headers: str):
    if tls:
        line = http.client.HTTPSConnection("localhost", site.port, context=trusting(site))
    else:
        line = http.client.HTTPConnection("localhost", port or site.port)
    line.request("GET", path, headers=headers)
    answer = line.getresponse()
    answer.body = answer.read().decode()
    line.close()
    return answer


def test_under_tls_every_cookie_is_bound_to_this_very_host(site):
    answer = ask(site, "/")

    assert answer.status == 200
    assert (
        "max-age=31536000; includeSubDomains; preload"
        in answer.headers["Strict-Transport-Security"]
    )
    cookies = answer.headers.get_all("Set-Cookie")
    assert cookies
    for cookie in cookies:
        assert cookie.startswith("__Host-")
        assert "Secure" in cookie and "Path=/" in cookie and "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie and "Domain" not in cookie


def test_without_tls_one_is_sent_to_the_site_s_own_address(site):
    answer = ask(site, "/tables/new/?x=1", tls=False)

    assert answer.status == 301
    assert answer.headers["Location"] == f"https://{site.place}/tables/new/?x=1"


def lobby(site: PublicSite, origin: str | None) -> connect:
    # asyncio, in one thread: the library's threaded client reads and writes in two threads, which
    # one TLS connection of OpenSSL does not support.
    return connect(
        f"wss://{site.place}/live/lobby/",
        ssl=trusting(site),
        origin=origin,
        open_timeout=PATIENCE,
    )


async def opens(site: PublicSite, origin: str | None) -> bool:
    try:
        async with lobby(site, origin) as socket:
            await socket.send('{"have": {}}')
            return bool(json.loads(await asyncio.wait_for(socket.recv(), PATIENCE)))
    except InvalidStatus:
        return False


async def test_a_socket_opens_from_the_site_s_own_page_and_from_no_other(site):
    assert await opens(site, f"https://{site.place}")
    for origin in (None, "null", "https://evil.example", f"http://{site.place}"):
        assert not await opens(site, origin)
    assert not await opens(site, "https://localhost")


def test_a_machine_beside_it_asks_how_it_is_without_tls_and_by_any_name(site):
    for path in ("/healthz/live", "/healthz/ready"):
        answer = ask(site, path, tls=False, port=site.plain_port, Host="10.0.0.3:8000")
        assert answer.status == 200, answer.body
    told = json.loads(answer.body)
    # Redis runs here, and the clock's worker does not.
    assert (told["database"], told["redis"], told["status"]) == ("ok", "ok", "ailing")


async def test_the_operator_reads_how_many_sockets_are_open(site):
    async with lobby(site, f"https://{site.place}") as socket:
        await socket.send('{"have": {}}')
        await asyncio.wait_for(socket.recv(), PATIENCE)
        bearer = f"Bearer {METRICS_TOKEN}"
        body = (await asyncio.to_thread(ask, site, "/metrics", Authorization=bearer)).body

    assert 'chancellery_open_sockets{screen="lobby"} 1.0' in body
    assert "chancellery_games_running 0.0" in body
    assert ask(site, "/metrics").status == 404


def test_each_line_of_the_log_is_json_and_has_no_invitation_and_no_cookie(site):
    token = "hK3" + "t0ken" * 4
    cookie = "__Host-sessionid=" + "a1" * 16
    answer = ask(site, f"/tables/23456789/invitation/{token}/", Cookie=cookie)
    ask(site, f"/nowhere/?token={token}")
    assert answer.status == 404

    said = site.log.read_text()
    ours = [line for line in said.splitlines() if "valkey" not in line.lower() and "{" in line]
    lines = [json.loads(line) for line in ours]
    assert any(
        line.get("route") == "games:invitation"
        and line["request_id"] == answer.headers["X-Request-ID"]
        for line in lines
    )
    assert token not in said
    assert "a1a1a1" not in said
    assert not re.search(r"GET /", said)
