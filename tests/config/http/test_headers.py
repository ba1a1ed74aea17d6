"""Security headers of every answer: no caching, no framing, no features that it does not need."""

import json
import re
from collections import defaultdict
from itertools import product
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from accounts.auth.public_paths import is_public_path
from tests.csrf_token import CSRF_TOKEN
from tests.nightly import NIGHTLY
from tests.secrecy.access_table import ACCESS
from tests.secrecy.access_world import undone

PASSWORD = "correct horse battery"


def header(answer, name: str) -> dict[str, str]:
    """Return the parts of a header by name."""
    parts = re.split(r"[;,]\s*", answer.headers[name])
    return dict(re.split(r"[ =]", part, maxsplit=1) for part in parts)


PASSKEYS = {"publickey-credentials-create", "publickey-credentials-get"}
# Public pages: a visitor's browser may store them if it revalidates each time.
KEPT = {"games:rules", "games:rulebook", "games:marks", "games:compare_rules", "games:glossary"}
# The same for everyone, so any cache may keep it.
SHARED = {"games:film"}


def has_all(answer, *, kept: str = "no-store", resource_policy: str = "same-origin") -> None:
    headers = answer.headers
    assert kept in headers["Cache-Control"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == resource_policy
    assert re.fullmatch(r"[0-9a-f]{16}", headers["X-Request-ID"])
    policy = header(answer, "Content-Security-Policy")
    assert policy.pop("default-src") == "'none'"
    assert {"script-src", "style-src", "base-uri", "form-action", "frame-ancestors"} <= set(policy)
    assert set(policy.values()) <= {"'self'", "'none'"}
    allowed = header(answer, "Permissions-Policy")
    assert {"camera", "microphone", "geolocation", "usb", "clipboard-read"} <= set(allowed)
    # Only the site's own pages may use passkeys, and no frame in them.
    assert {name for name, who in allowed.items() if who == "(self)"} == PASSKEYS
    assert {who for name, who in allowed.items() if name not in PASSKEYS} == {"()"}


def test_every_address_sends_them_all_whatever_it_answers(table, seated, stranger):
    filled = {"code": table.code, "token": table.invitation, "table": table.get_absolute_url()}
    wrong = []
    for number, (name, viewer) in enumerate(product(ACCESS, (seated[0], stranger))):
        # By day each address is tried by one of them, with one of the methods that are seldom used.
        if not NIGHTLY and number // 2 % 2 != number % 2:
            continue
        others = ("put", "options") if NIGHTLY else (("put", "options")[number // 4 % 2],)
        if name.startswith("admin"):
            continue
        path = ACCESS[name].path.format_map(defaultdict(lambda: "1", filled))
        # One address must not sign out the next one's visitor.
        with undone(viewer):
            for method in ("get", *others, "post"):
                answer = getattr(viewer.client, method)(path, headers={"X-CSRFToken": CSRF_TOKEN})
                kept = "no-store"
                is_shared = name in SHARED or (is_public_path(path) and answer.status_code == 200)
                if method == "get" and is_shared:
                    kept = "public, max-age"
                elif method == "get" and viewer is stranger and name in KEPT:
                    kept = "private, no-cache"
                # Pages of other sites may read the public API and the feeds.
                is_open = is_public_path(path) and method in ("get", "post")
                resource_policy = "cross-origin" if is_open else "same-origin"
                try:
                    has_all(answer, kept=kept, resource_policy=resource_policy)
                except AssertionError as error:
                    wrong.append((name, viewer.user, method, str(error)))
    assert wrong == []


@pytest.mark.parametrize(
    ("path", "status"),
    [("/nowhere/", 404), ("/tables/nowhere/", 404), ("/admin/", 302), ("/admin/nowhere/", 302)],
)
def test_errors_and_the_admin_send_them_too(db, client, path, status):
    answer = client.get(path)

    assert answer.status_code == status
    has_all(answer)


def test_a_forged_form_and_a_wrong_host_and_a_crash_get_them_too(db, monkeypatch):
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    answers = {403: client.post("/quick/"), 400: client.get("/", headers={"host": "evil.example"})}
    monkeypatch.setattr("games.views.lobby.lobby_panels", lambda *_: 1 / 0)
    answers[500] = client.get("/")

    for status, answer in answers.items():
        assert answer.status_code == status
        has_all(answer)


def test_static_files_may_be_kept_and_are_no_other_site_s(client):
    answer = client.get("/static/games/live.js")

    assert answer.status_code == 200
    assert "no-store" not in answer.headers["Cache-Control"]
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


# Signing out --------------------------------------------------------------------------------------


def test_signing_out_makes_the_browser_forget_all_but_its_language(db, client, django_user_model):
    django_user_model.objects.create_user("Ada", password=PASSWORD)
    client.login(username="Ada", password=PASSWORD)
    client.post("/account/language/", {"language": "ja"})
    assert "Clear-Site-Data" not in client.get("/account/sign-out/").headers

    answer = client.post("/account/sign-out/")

    assert answer.headers["Clear-Site-Data"] == '"cache", "storage"'
    assert answer.cookies["sessionid"].value == ""
    assert client.get("/").headers["Content-Language"] == "ja"


# A public site ------------------------------------------------------------------------------------


def test_under_tls_the_browser_is_told_to_stay_there(db, client, settings):
    settings.SECURE_HSTS_SECONDS = 31536000

    assert "max-age=31536000" in client.get("/", secure=True).headers["Strict-Transport-Security"]
    assert "Strict-Transport-Security" not in client.get("/").headers


# htmx ---------------------------------------------------------------------------------------------


def test_htmx_runs_no_script_of_a_page_and_keeps_no_page(db, client):
    config = htmx_config(client)

    assert config["allowEval"] is False
    assert config["allowScriptTags"] is False
    assert config["allowNestedOobSwaps"] is False
    assert config["historyCacheSize"] == 0
    assert config["selfRequestsOnly"] is True
    # It would copy an emptied `style` attribute, which the policy refuses.
    assert "style" not in config["attributesToSettle"]
    assert config["includeIndicatorStyles"] is False


def test_the_config_s_names_are_ones_that_this_htmx_knows(db, client):
    source = Path(finders.find("games/vendor/htmx.min.js")).read_text(encoding="utf-8")

    for name in htmx_config(client):
        assert re.search(rf"\b{name}:", source), name


def htmx_config(client: Client) -> dict:
    page = client.get("/").content.decode()
    return json.loads(re.search(r"""name="htmx-config" content='([^']+)'""", page)[1])
