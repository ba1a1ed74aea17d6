"""Client addresses: a forged header changes only the address of the client that sends it."""

import pytest
from django.test import RequestFactory

from config.http.client_address import came_directly, client_address

PEER = "198.51.100.7"


def scope(*forwarded: str, peer: str | None = PEER, name: str = "X-Forwarded-For") -> dict:
    return {
        "client": None if peer is None else [peer, 4711],
        "headers": [(name.encode(), value.encode()) for value in forwarded],
    }


def test_without_a_trusted_proxy_it_is_who_called_whatever_a_header_says(settings):
    settings.TRUSTED_PROXIES = 0

    assert client_address(scope("203.0.113.1")) == PEER
    request = RequestFactory().get("/", REMOTE_ADDR=PEER, HTTP_X_FORWARDED_FOR="203.0.113.1")
    assert client_address(request) == PEER


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (1, ["203.0.113.1"], "203.0.113.1"),
        # The entries that the client forged precede the proxy's.
        (1, ["10.0.0.1, 203.0.113.1"], "203.0.113.1"),
        (1, ["10.0.0.1", "203.0.113.1"], "203.0.113.1"),
        (2, ["10.0.0.1, 203.0.113.1, 192.0.2.9"], "203.0.113.1"),
        # The request bypassed the outer proxy: the inner proxy wrote the only entry.
        (2, ["203.0.113.1"], "203.0.113.1"),
        (1, [], PEER),
        (1, [""], PEER),
        (1, ["nonsense"], PEER),
        (1, ["203.0.113.1:51234"], "203.0.113.1"),
        (1, ['"[2001:db8::1]:51234"'], "2001:db8::1"),
        (1, ["2001:DB8:0::1"], "2001:db8::1"),
        (1, ["::ffff:203.0.113.1"], "203.0.113.1"),
        (1, ["fe80::1%eth0"], "fe80::1"),
    ],
)
def test_behind_proxies_it_is_what_the_outermost_trusted_one_wrote(
    settings, proxies, forwarded, expected
):
    settings.TRUSTED_PROXIES = proxies

    assert client_address(scope(*forwarded)) == expected
    if len(forwarded) == 1:
        request = RequestFactory().get("/", REMOTE_ADDR=PEER, HTTP_X_FORWARDED_FOR=forwarded[0])
        assert client_address(request) == expected


def test_a_unix_socket_without_a_proxy_has_no_address(settings):
    assert client_address(scope(peer=None)) == ""
    assert client_address(RequestFactory().get("/", REMOTE_ADDR="")) == ""


@pytest.mark.parametrize("peer", ["127.0.0.1", "::1", "10.1.2.3", "172.17.0.1", "fd00::1", None])
def test_the_owner_s_machines_call_directly(peer):
    assert came_directly(scope(peer=peer))
    for name in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP", "x-forwarded-proto"):
        assert not came_directly(scope("1.2.3.4", peer=peer, name=name))


@pytest.mark.parametrize("peer", ["93.184.216.34", "2a00:1450::1", "::ffff:93.184.216.34"])
def test_a_stranger_does_not(peer):
    assert not came_directly(scope(peer=peer))


def test_allauth_counts_tries_by_the_same_address(db, client, settings):
    settings.TRUSTED_PROXIES = 2
    for number in range(40):
        answer = client.post(
            "/account/sign-in/",
            {"login": "Nobody", "password": "wrong"},
            # allauth's own code raises an error if an entry is missing.
            headers={"X-Forwarded-For": f"203.0.113.{number}"},
        )
        assert answer.status_code in (200, 429)
