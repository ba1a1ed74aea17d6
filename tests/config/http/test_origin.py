"""Which origins may open a socket."""

import pytest

from config.http.origin import is_same_origin, origin_of

SITE = "https://play.example"


def scope(
    origin: str | None, host: str | None = "play.example", *, scheme="ws", proto=None
) -> dict:
    pairs = [("Origin", origin), ("Host", host), ("X-Forwarded-Proto", proto)]
    return {
        "scheme": scheme,
        "headers": [
            (name.encode(), value.encode("latin-1")) for name, value in pairs if value is not None
        ],
    }


STRANGERS = [
    *(None, "", "null", "https://evil.example", "https://play.example.evil.example"),
    *("https://evil.example/play.example", "https://play.example@evil.example"),
    *("http://play.example", "ws://play.example", "wss://play.example", "play.example"),
    *("https://play.example:8443", "https://play.example:443", "https://play.example/"),
    *("https://PLAY.example", "https://sub.play.example", "\xff"),
]


@pytest.fixture
def public(settings):
    settings.SITE_ORIGIN = SITE
    settings.ALLOWED_HOSTS = ["play.example"]
    settings.CSRF_TRUSTED_ORIGINS = [SITE]
    settings.TRUSTED_PROXIES = 1
    return settings


@pytest.mark.parametrize("proto", [None, "https", "http"])
def test_behind_a_proxy_that_ends_tls_the_site_s_own_pages_may(public, proto):
    # Daphne sees a socket without TLS, and would report no scheme of its own for one with TLS.
    assert is_same_origin(scope(SITE, proto=proto))
    assert origin_of(scope(SITE, proto=proto)) == SITE


@pytest.mark.parametrize("origin", STRANGERS)
@pytest.mark.parametrize("proto", [None, "https", "http"])
def test_no_other_page_may(public, origin, proto):
    assert not is_same_origin(scope(origin, proto=proto))


@pytest.mark.parametrize("host", [None, "", "evil.example", "play.example.evil.example"])
def test_a_trusted_origin_does_not_make_up_for_another_host(public, host):
    assert not is_same_origin(scope(SITE, host))


def test_two_origins_or_two_hosts_are_none(public):
    twice = scope(SITE)
    twice["headers"] *= 2
    assert not is_same_origin(twice)


@pytest.fixture
def anywhere(settings):
    settings.SITE_ORIGIN = ""
    settings.ALLOWED_HOSTS = ["play.example", "localhost"]
    settings.CSRF_TRUSTED_ORIGINS = []
    settings.TRUSTED_PROXIES = 0
    return settings


def test_without_a_site_s_address_it_is_the_one_that_was_called(anywhere):
    assert is_same_origin(scope("http://localhost:8000", "localhost:8000"))
    assert is_same_origin(scope(SITE, scheme="wss"))
    assert not is_same_origin(scope("http://localhost:8000", "localhost"))
    assert not is_same_origin(scope("http://localhost", "localhost:8000"))
    assert not is_same_origin(scope(SITE))
    assert not is_same_origin(scope("http://play.example", scheme="wss"))
    assert not is_same_origin(scope("http://localhost", "play.example"))


def test_a_header_about_tls_counts_only_from_a_trusted_proxy(anywhere):
    assert not is_same_origin(scope(SITE, proto="https"))

    anywhere.TRUSTED_PROXIES = 1

    assert is_same_origin(scope(SITE, proto="https"))
    assert not is_same_origin(scope("http://play.example", proto="https"))
    assert origin_of(scope(SITE, proto="https")) == SITE


def test_further_origins_of_the_owner_s_may_and_wildcards_may_not(anywhere):
    anywhere.CSRF_TRUSTED_ORIGINS = ["https://cards.example", "https://*.play.example"]

    assert is_same_origin(scope("https://cards.example"))
    assert not is_same_origin(scope("https://cards.example", "evil.example"))
    assert not is_same_origin(scope("https://*.play.example"))
    assert not is_same_origin(scope("https://a.play.example"))
