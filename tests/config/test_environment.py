"""The environment variables: what each refuses, and that every process says so when it starts."""

import re

import pytest
from allauth.core.internal.ratelimit import parse_rates
from limits import parse

from config.environment import VARIABLES, WrongEnvironment, read_environment
from tests.config.processes import PUBLIC, run

# Wrong for everything that is not free text.
NONSENSE = ("maybe", "-1", "1;drop", "3 0", "²", "//", "none at all", "\0")
FREE = {"SECRET_KEY", "SECRET_KEY_FALLBACKS", "AUDIT_KEY", "AUDIT_KEY_FALLBACKS"} | {
    *("METRICS_TOKEN", "CONTACT", "CHANCELLERY_DATA")
}
CLOSED = sorted(VARIABLES.keys() - FREE)
KEY = "x_yBIdiXPUKHyYMvNvfVv0Iyn4bvUcfz1_OKKpMAYWc"

WRONG = {
    "SITE_URL": (
        *("play.example", "https://play.example/cards", "ftp://play.example"),
        *("https://play example", "https://play.example,b.example", "https://*.example"),
    ),
    "TRUSTED_PROXIES": ("one", "1.5", "21", "٣"),
    "ALLOWED_HOSTS": ("https://play.example", "play.example:80", "a.example b.example"),
    "CSRF_TRUSTED_ORIGINS": ("cards.example", "https://cards.example/path"),
    "HSTS_SECONDS": ("a year", "-60"),
    "VAPID_KEY": ("abc", "A" * 43, KEY[:-1], KEY + "A", "_" * 43),
    "DATABASE_URL": ("mysql://a@b/c", "postgres://host", "postgres://host:x/name", "db.sqlite3"),
    "REDIS_URL": (
        *("redis.example:6379", "http://redis.example", "redis://", "redis://a:x/0"),
        *("redis://a/zero", "redis://a?db=x", "unix://", "redis://a b/0", "redis://a:99999/0"),
        *("redis://:pw@/0", "redis://a?db=-1", "redis://a?socket_timeout=x", "redis://a?pool=9"),
        "rediss://a?ssl_cert_reqs=maybe",
    ),
    "EMAIL_URL": ("mail.example", "imap://mail.example", "smtp://", "smtp://mail.example:x"),
    "DEFAULT_FROM_EMAIL": ("nobody", "Cards <>", "a@b.example\nBcc: c@d.example"),
    "LOG_LEVEL": ("loud",),
    "LOG_FORMAT": ("xml",),
    "WORKER_METRICS": ("127.0.0.1", "127.0.0.1:0", "127.0.0.1:99999", "a b:80", "[::1]:80"),
    "WEB_THREADS": ("0", "1001", "8 threads"),
    "PACE_SCALE": ("0", "nan", "inf", "1e3"),
    "LIMITS": ("maybe", "2"),
    "LIMIT_PAGES": ("many", "0/minute", "60", "60/m", "60/minute/ip", "-1/minute"),
    "LIMIT_SIGN_INS": ("30/minute", "0/m/ip", "30/m/key", "30/m/user", "30", "30/m/ip;1/s/ip"),
    "LIMIT_WRONG_PASSWORDS": ("5/5m/user", "20/5m/ip,"),
    "LIMIT_GUESSES": ("off", "1.5"),
}
RIGHT = {
    "SITE_URL": ("https://play.example", "http://127.0.0.1:8000"),
    "ALLOWED_HOSTS": ("*", "play.example, .cards.example,[::1],10.0.0.7"),
    "CSRF_TRUSTED_ORIGINS": ("https://cards.example,https://*.example:8443,http://[::1]",),
    "VAPID_KEY": (KEY, f" {KEY}= "),
    "DATABASE_URL": (
        *("sqlite:////srv/my games/db.sqlite3", "sqlite://:memory:", PUBLIC["DATABASE_URL"]),
        "postgres://chancellery@/postgres?host=/dev/shm/pg-1",
    ),
    "REDIS_URL": (
        *("redis://a", "rediss://:s%20t@a.example:6380/3", "redis://a/", "redis://[::1]:6379/0"),
        *("unix:///run/v.sock", "unix:///run/my v.sock?db=1", "redis://a?db=2"),
    ),
    "EMAIL_URL": ("smtp+tls://user:password@mail.example:587", "smtp://a", "consolemail://"),
    "DEFAULT_FROM_EMAIL": ("noreply@play.example", "Cards <noreply@play.example>"),
    "WORKER_METRICS": ("9101", "127.0.0.1:9101"),
    "HSTS_SUBDOMAINS": ("0", "off", "No", "FALSE"),
    "SQLITE_SYNCHRONOUS": ("full", "FULL"),
    "LOG_LEVEL": ("info",),
    "BOT_PAUSE": ("0", "0.05", "3"),
    "LIMIT_PAGES": ("off", "600/minute", "300/10 seconds", "1/day"),
    "LIMIT_SIGN_INS": ("off", "30/m/ip", "30/5m", "30/m/ip, 100/d/ip"),
    "LIMIT_WRONG_PASSWORDS": ("20/5m/ip,5/5m/key",),
    "LIMIT_GUESSES": ("0", "10"),
}


def refusals(folder, **environment: str) -> list[str]:
    try:
        read_environment(environment, folder)
    except WrongEnvironment as error:
        return str(error).splitlines()
    return []


@pytest.mark.parametrize("name", CLOSED)
def test_a_wrong_value_is_refused_in_one_line_that_says_what_is_allowed(name, tmp_path):
    for value in (*NONSENSE, *WRONG.get(name, ())):
        if name == "ALLOWED_HOSTS" and value in ("maybe", "-1"):
            continue
        (line,) = refusals(tmp_path, **{name: value})
        assert re.fullmatch(rf"{name} is .+\. It has to be .+\.", line), value


def test_a_right_value_is_read_and_an_empty_one_is_as_none(tmp_path):
    for name, values in RIGHT.items():
        for value in values:
            assert refusals(tmp_path, **{name: value}) == [], (name, value)
    defaults = read_environment({}, tmp_path)
    assert read_environment(dict.fromkeys(VARIABLES, ""), tmp_path) == defaults
    for name, (kind, default) in VARIABLES.items():
        if isinstance(default, str | int | float) and default != "":
            assert kind.read(str(default)) == default, name


def test_no_line_shows_what_may_be_a_secret(tmp_path):
    secret = "hunter2-of-the-house"
    for name, (kind, _) in VARIABLES.items():
        if kind.is_secret:
            lines = refusals(tmp_path, SITE_URL="https://play.example", **{name: secret})
            assert secret not in "".join(lines)
            assert bool(lines) == (name == "SECRET_KEY" or name not in FREE), name
    for name in ("SITE_URL", "ALLOWED_HOSTS", "WORKER_METRICS"):
        (line,) = refusals(tmp_path, **{name: f"https://me:{secret}@play.example"})
        assert secret not in line
    assert {"SECRET_KEY", "AUDIT_KEY", "VAPID_KEY", "METRICS_TOKEN"} <= {
        name for name, (kind, _) in VARIABLES.items() if kind.is_secret
    }


def test_the_libraries_read_every_rate_that_is_allowed():
    for period in ("second", "minutes", "5 minutes", "hour", "2 days", "month", "years"):
        kind, _ = VARIABLES["LIMIT_PAGES"]
        assert parse(kind.read(f"7/{period}")).amount == 7
    kind, _ = VARIABLES["LIMIT_WRONG_PASSWORDS"]
    rates = parse_rates(kind.read("7/s, 7/5m/ip,7/h/key,7/30d"))
    assert [rate.duration for rate in rates] == [1, 300, 3600, 30 * 86400]
    assert parse_rates(kind.read("off")) == []


def test_everything_that_is_wrong_is_told_at_once(tmp_path):
    lines = refusals(
        tmp_path,
        SITE_URL="https://play.example",
        SECRET_KEY="abc",
        PSEUDO_LANGUAGES="1",
        EMAIL_URL="consolemail://",
        WEB_THREADS="0",
        LIMIT_SIGNINS="30/m/ip",
        DATABASE_POOL_MIN="9",
        DATABASE_POOL_MAX="3",
    )
    assert [line.split()[0] for line in lines] == [
        *("WEB_THREADS", "LIMIT_SIGNINS", "SECRET_KEY", "PSEUDO_LANGUAGES", "EMAIL_URL"),
        "DATABASE_POOL_MIN",
    ]
    assert "LIMIT_SIGN_INS" in lines[1]


def test_a_key_in_the_data_folder_is_looked_at_too(tmp_path):
    (tmp_path / "vapid_key").write_text(KEY[:20])
    assert "VAPID_KEY is 20 characters long" in refusals(tmp_path)[0]
    assert refusals(tmp_path, VAPID_KEY=KEY) == []
    (tmp_path / "vapid_key").write_bytes(b"\xff")
    assert f"The key in {tmp_path}/vapid_key cannot be read" in refusals(tmp_path)[0]


@pytest.mark.parametrize(
    "command",
    [
        ("manage.py", "serve"),
        ("manage.py", "check"),
        ("-m", "celery", "-A", "config", "worker", "--queues", "clock"),
        ("-m", "celery", "-A", "config", "beat"),
        pytest.param(("-c", "import config.asgi"), marks=pytest.mark.nightly),
        pytest.param(("manage.py", "play"), marks=pytest.mark.nightly),
        pytest.param(("manage.py", "replay", "none"), marks=pytest.mark.nightly),
    ],
)
def test_every_process_refuses_wrong_settings_when_it_starts(command, tmp_path):
    wrong = {"LIMIT_SIGN_INS": "30/minute", "WEB_THREADS": "0", "REDIS_URL": "redis.example"}
    ended = run(*command, **PUBLIC | wrong, CHANCELLERY_DATA=str(tmp_path))

    assert ended.returncode == 1
    assert ended.stdout == ""
    assert {line.split()[0] for line in ended.stderr.splitlines()} == {*wrong}
