"""The settings that an environment results in, and those that a serving process requires."""

import re
import runpy
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.http.site_url import read_site_url
from config.serving.required_settings import check_serving_settings
from tests.config.processes import NAMES, PUBLIC, ROOT, run

COOKIES = ("SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "LANGUAGE_COOKIE_NAME")


@pytest.fixture
def read(monkeypatch, tmp_path):
    """Return a function that loads the settings with the given environment variables."""

    def read(**environment: str) -> dict[str, Any]:
        for name in (*NAMES, "HSTS_SUBDOMAINS", "DATABASE_POOL_MIN", "DATABASE_POOL_MAX"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("CHANCELLERY_DATA", str(tmp_path))
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        return runpy.run_path(str(ROOT / "config" / "settings.py"))

    return read


# A public site ------------------------------------------------------------------------------------


def test_pseudo_languages_are_for_who_asks_for_them_and_never_for_the_public(read):
    codes = {"en-xa", "ar-xb"}
    assert codes.isdisjoint(dict(read()["LANGUAGES"]))
    assert codes <= set(dict(read(PSEUDO_LANGUAGES="1")["LANGUAGES"]))
    with pytest.raises(SystemExit, match="PSEUDO_LANGUAGES"):
        read(PSEUDO_LANGUAGES="1", **PUBLIC)


def test_with_nothing_set_it_is_the_form_of_one_machine_without_tls(read):
    settings = read()

    assert not settings["IS_SECURE"]
    assert not any(name in settings for name in (*COOKIES, "SECURE_SSL_REDIRECT"))
    assert not settings["SESSION_COOKIE_SECURE"]
    assert "SECURE_PROXY_SSL_HEADER" not in settings
    assert settings["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]


def test_an_address_under_tls_makes_everything_secure(read):
    settings = read(**PUBLIC)

    assert all(settings[name].startswith("__Host-") for name in COOKIES)
    for cookie in ("SESSION", "CSRF", "LANGUAGE"):
        assert settings[f"{cookie}_COOKIE_SECURE"]
    assert settings["SECURE_SSL_REDIRECT"]
    assert settings["SECURE_HSTS_SECONDS"] == 365 * 24 * 60 * 60
    assert settings["ALLOWED_HOSTS"] == ["play.example"]
    assert settings["CSRF_TRUSTED_ORIGINS"] == ["https://play.example"]


def test_an_address_without_tls_stays_plain(read):
    settings = read(SITE_URL="http://cards.home:8000")

    assert settings["ALLOWED_HOSTS"] == ["cards.home"]
    assert settings["SITE_ORIGIN"] == "http://cards.home:8000"
    assert not settings["SESSION_COOKIE_SECURE"]
    assert not any(name in settings for name in COOKIES)


def test_a_proxy_s_word_about_tls_counts_only_where_one_is_trusted(read):
    assert "SECURE_PROXY_SSL_HEADER" in read(**PUBLIC)
    assert "SECURE_PROXY_SSL_HEADER" not in read(**PUBLIC | {"TRUSTED_PROXIES": "0"})


def test_the_owner_may_shorten_hsts_and_keep_other_sites_out_of_it(read):
    settings = read(**PUBLIC, HSTS_SECONDS="60", HSTS_SUBDOMAINS="0")

    assert settings["SECURE_HSTS_SECONDS"] == 60
    assert not settings["SECURE_HSTS_INCLUDE_SUBDOMAINS"]
    assert not settings["SECURE_HSTS_PRELOAD"]


@pytest.mark.parametrize(
    ("text", "origin", "host"),
    [
        ("https://play.example", "https://play.example", "play.example"),
        ("https://Play.Example/", "https://play.example", "play.example"),
        ("https://play.example:443", "https://play.example", "play.example"),
        ("https://play.example:8443", "https://play.example:8443", "play.example"),
        ("http://127.0.0.1:80", "http://127.0.0.1", "127.0.0.1"),
        ("https://[::1]:9000", "https://[::1]:9000", "[::1]"),
        ("https://игра.example", "https://xn--80afo7a.example", "xn--80afo7a.example"),
    ],
)
def test_a_site_s_address_is_read_as_a_browser_writes_it(text, origin, host):
    site = read_site_url(text)

    assert (site.origin, site.host) == (origin, host)


@pytest.mark.parametrize(
    "text",
    [
        *("play.example", "//play.example", "ftp://play.example", "https://", "https://*"),
        *("https://.example", "https://a@play.example", "https://play.example/cards"),
        *("https://play.example?x", "https://play.example#x", "https://play.example:x"),
        *("https://play.example:99999", "https://[::1", "https://" + "a" * 70 + ".example"),
    ],
)
def test_an_address_that_is_none_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011  environment.py says what is allowed
        read_site_url(text)


def test_the_cache_has_a_database_of_its_own_beside_the_queues(read):
    public = read(**PUBLIC)
    assert public["CACHES"]["default"]["LOCATION"] == "redis://redis.example:6379/1"
    assert public["CELERY_BROKER_URL"] == "redis://redis.example:6379/0"
    for url, other in (
        ("unix:///run/v.sock", "unix:///run/v.sock?db=1"),
        ("redis://:secret@cache.example/15", "redis://:secret@cache.example/16"),
        ("rediss://cache.example?db=2", "rediss://cache.example?db=3"),
    ):
        assert read(REDIS_URL=url)["CACHE_URL"] == other
    own = read(REDIS_URL="redis://a.example/0", CACHE_URL="redis://b.example/0")
    assert own["CACHES"]["default"]["LOCATION"] == "redis://b.example/0"


# The database -------------------------------------------------------------------------------------


def test_postgresql_has_a_pool_of_the_size_that_the_owner_says(read):
    url = PUBLIC["DATABASE_URL"] + "?connect_timeout=3"
    database = read(DATABASE_URL=url, DATABASE_POOL_MAX="7")["DATABASES"]["default"]

    assert database["OPTIONS"]["pool"]["max_size"] == 7
    assert str(database["OPTIONS"]["connect_timeout"]) == "3"
    assert database["CONN_MAX_AGE"] == 0


def test_sqlite_keeps_its_connections_and_queues_its_writers(read):
    database = read()["DATABASES"]["default"]

    assert database["CONN_MAX_AGE"] is None
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in database["OPTIONS"]["init_command"]


def test_without_tls_a_serving_process_needs_a_key_and_redis(settings):
    settings.IS_SECURE = False
    settings.SECRET_KEY_LASTS, settings.REDIS_URL = False, ""

    with pytest.raises(ImproperlyConfigured, match="Set SECRET_KEY and REDIS_URL in the env"):
        check_serving_settings()


# Each name takes a process of its own.
@pytest.mark.parametrize(
    "name",
    [
        "DEBUG",
        *(
            pytest.param(name, marks=pytest.mark.nightly)
            for name in ("SECRET_KEY", "REDIS_URL", "DATABASE_URL", "TRUSTED_PROXIES")
        ),
    ],
)
def test_a_public_site_does_not_start_without_what_it_needs_and_names_it(tmp_path, name):
    environment = {key: value for key, value in PUBLIC.items() if key != name}
    if name == "DEBUG":
        environment["DEBUG"] = "1"

    ended = run("-c", "import config.asgi", **environment, CHANCELLERY_DATA=str(tmp_path))

    assert ended.returncode == 1
    last = ended.stderr.strip().splitlines()[-1]
    assert "ImproperlyConfigured" in last
    assert set(re.findall(r"\b[A-Z]+_?[A-Z]+\b", last)) & {*PUBLIC, "DEBUG"} == {name}


@pytest.mark.parametrize("process", ["worker", pytest.param("beat", marks=pytest.mark.nightly)])
def test_a_public_site_names_everything_that_is_missing_at_once(tmp_path, process):
    ended = run(
        *("-m", "celery", "-A", "config", process),
        # Beat writes a file before it looks at the settings.
        *(("--schedule", str(tmp_path / "beat")) if process == "beat" else ()),
        SITE_URL="https://play.example",
        TRUSTED_PROXIES=" ",
        CHANCELLERY_DATA=str(tmp_path),
    )

    assert ended.returncode == 1
    assert "Set SECRET_KEY, REDIS_URL, DATABASE_URL and TRUSTED_PROXIES in" in ended.stderr


def test_a_command_says_in_a_line_that_the_database_cannot_be_used(tmp_path):
    missing = f"sqlite:///{tmp_path}/none/db.sqlite3"
    ended = run("manage.py", "clearsessions", DATABASE_URL=missing, CHANCELLERY_DATA=str(tmp_path))

    assert ended.returncode == 1
    assert "The database cannot be used: unable to open" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "more", [{}, pytest.param({"HSTS_SUBDOMAINS": "0"}, marks=pytest.mark.nightly)]
)
def test_django_finds_nothing_to_warn_of_in_a_public_site(tmp_path, more):
    ended = run(
        *("manage.py", "check", "--deploy", "--fail-level", "WARNING"),
        **PUBLIC,
        **more,
        CHANCELLERY_DATA=str(tmp_path),
    )

    assert ended.returncode == 0, ended.stderr
    assert "WARNINGS" not in ended.stderr


def test_a_process_builds_its_slow_tables_before_it_serves(tmp_path):
    program = """
import config.asgi
from accounts.profiles.names import _look_alikes
from django.urls import get_resolver
print(_look_alikes.cache_info().currsize, "urlconf_module" in vars(get_resolver()))
"""

    ended = run("-c", program, **PUBLIC, CHANCELLERY_DATA=str(tmp_path))

    assert ended.stdout.split() == ["1", "True"], ended.stderr
