"""A page of another site posts to every address: nothing is done, counted or repeated."""

import re
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path

import pytest
from django import forms
from django.conf import settings as django_settings
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

import accounts
import games
from accounts.throttling import limits
from tests.builders.person import Person
from tests.csrf_token import CSRF_TOKEN
from tests.nightly import by_day
from tests.secrecy.access_table import ACCESS, PUBLIC, is_tried
from tests.secrecy.access_world import PASSWORD, World, enter, with_password, world_of

pytestmark = pytest.mark.usefixtures("quiet")

MARK = "posted-by-a-test"
TOKEN = {"csrfmiddlewaretoken": CSRF_TOKEN}
# What a page of another site sends, or a client that names no site. If the token is right, the
# other site has found it out.
FORGERIES = {
    "a foreign origin": ({"Origin": "https://evil.example"}, TOKEN),
    "an origin that is hidden": ({"Origin": "null"}, TOKEN),
    "a sibling's origin": (
        {"Origin": "http://cards.testserver", "Sec-Fetch-Site": "same-site"},
        TOKEN,
    ),
    "another site, without an origin": ({"Sec-Fetch-Site": "cross-site"}, TOKEN),
    "no token": ({}, {}),
    "a wrong token": ({}, {"csrfmiddlewaretoken": MARK}),
    "no token, to htmx": ({"HX-Request": "true"}, {}),
}
WHO = ("anonymous", "host", "superuser")


def form_classes(cls: type = forms.BaseForm) -> Iterator[type[forms.BaseForm]]:
    for form in cls.__subclasses__():
        yield form
        yield from form_classes(form)


def field_names() -> set[str]:
    """Return every field that a form declares, or that a view reads from a post by name."""
    named = {name for form in form_classes() for name in getattr(form, "base_fields", {})}
    for package in (accounts, games):
        for path in Path(package.__path__[0]).rglob("*.py"):
            source = path.read_text(encoding="utf-8")
            named |= set(re.findall(r'POST\.(?:get|getlist)\(\s*"(\w+)"', source))
            named |= set(re.findall(r'"(\w+)" in request\.POST', source))
            named |= set(re.findall(r'self\.fields\["(\w+)"\]', source))
    # The admin's lists, whose forms are made for each request.
    return named | {"action", "_selected_action"}


def posts_to(names: set[str]) -> Iterator[dict[str, str]]:
    """Yield forms that have all these fields together, each with a value to look for."""
    left = iter(sorted(names))
    most = django_settings.DATA_UPLOAD_MAX_NUMBER_FIELDS - 10
    while some := list(islice(left, most)):
        yield {name: f"{MARK}-{name}" for name in some}


@pytest.fixture
def world(db) -> World:
    return world_of(PUBLIC)


@pytest.fixture
def limited(settings) -> Iterator[None]:
    """Allow one of each, so that anything counted makes the next one a refusal."""
    settings.LIMITS = dict.fromkeys(settings.LIMITS, "1/hour")
    settings.ACCOUNT_RATE_LIMITS = {
        "login": "1/m/ip",
        "login_failed": "1/m/ip,1/m/key",
        "signup": "1/m/ip",
        "reset_password": "1/m/ip,1/m/key",
    }
    limits.forget_all()
    cache.clear()
    yield
    limits.forget_all()


def counted() -> tuple[object, ...]:
    return tuple(limits._memory._windows), tuple(limits._memory._closed_until), dict(cache._cache)


def enters(actor: str, world: World) -> Person:
    viewer = enter(actor, world)
    viewer.client.cookies["csrftoken"] = CSRF_TOKEN
    return viewer


def test_the_fields_are_all_that_the_site_knows():
    assert {"name", "text", "choice", "login", "password", "reason", "act", "next"} <= field_names()


@pytest.mark.parametrize("actor", by_day(1, WHO))
def test_a_forged_post_to_any_address_does_nothing_and_repeats_nothing(world, request, actor):
    """In `make test` each address gets one of the forgeries, in turn."""
    viewer = enters(actor, world)
    request.getfixturevalue("limited")
    sessions = set(Session.objects.values_list("session_key", "session_data"))
    names = field_names()
    wrong = []
    for (name, door), (how, (headers, fields)) in product(ACCESS.items(), FORGERIES.items()):
        if not is_tried(how, f"{actor} {name}", tuple(FORGERIES)):
            continue
        path = world.address(door.path)
        if path.startswith((django_settings.TOKEN_PATHS, django_settings.SIGNED_PATHS)):
            # No cookie counts there, so there is nothing to forge: see the test below.
            continue
        for form in posts_to(names | set(door.form(world))):
            before = counted()
            data = {**form, f"{MARK}-name": MARK, **fields}
            with CaptureQueriesContext(connection) as queries:
                answer = viewer.client.post(f"{path}?{MARK}=1", data, headers=headers)
            told = answer.content.decode() + str(answer.headers) + answer.cookies.output()
            seen = {
                "status": answer.status_code != 403,
                "statements": bool(queries.captured_queries),
                "counted": counted() != before,
                "repeated": MARK in told,
                "a form": "<form" in told or "csrfmiddlewaretoken" in told,
                "cookies": bool(answer.cookies),
            }
            wrong += [(name, how, what) for what, is_so in seen.items() if is_so]

    assert wrong == []
    assert set(Session.objects.values_list("session_key", "session_data")) == sessions


@pytest.mark.parametrize("actor", WHO)
def test_where_no_cookie_counts_a_forged_post_does_nothing_either(world, actor):
    viewer = enters(actor, world)
    sessions = set(Session.objects.values_list("session_key", "session_data"))
    tried = 0
    for door in ACCESS.values():
        path = world.address(door.path)
        if not path.startswith((django_settings.TOKEN_PATHS, django_settings.SIGNED_PATHS)):
            continue
        answer = viewer.client.post(path, {"name": MARK})
        assert answer.status_code in (401, 404, 405), path
        assert MARK not in answer.content.decode()
        tried += 1
    assert tried > 5
    assert set(Session.objects.values_list("session_key", "session_data")) == sessions


def test_a_genuine_post_is_counted_and_repeated(world, limited):
    """The 429 page repeats what passed the check, and counts a post that passed it."""
    viewer = enters("host", world)
    path = "/account/people/block/"

    assert viewer.post(path, {"name": MARK}).status_code == 303
    assert counted() != ((), (), {})
    again = viewer.post(path, {"name": MARK})

    assert again.status_code == 429
    assert MARK in again.content.decode()


@pytest.mark.parametrize("actor", ["anonymous", "host"])
def test_forged_posts_do_not_use_up_the_visitor_s_limit(world, settings, request, actor):
    viewer = enters(actor, world)
    request.getfixturevalue("limited")
    settings.LIMITS |= dict.fromkeys(("actions", "strangers"), "2/hour")
    language = {"language": "en", "next": "/"}
    for headers, fields in FORGERIES.values():
        viewer.client.post("/account/language/", {**language, **fields}, headers=headers)

    own = [viewer.post("/account/language/", language).status_code for _ in range(3)]

    assert own == [302, 302, 429]


def test_a_forged_sign_in_counts_as_no_try(world, limited):
    with_password("Nadine")
    viewer = enters("anonymous", world)
    for headers, fields in FORGERIES.values():
        wrong = {"login": "Nadine", "password": "wrong", **fields}
        assert viewer.client.post("/account/sign-in/", wrong, headers=headers).status_code == 403

    right = {"login": "Nadine", "password": PASSWORD}
    assert viewer.post("/account/sign-in/", right).status_code == 302


def test_a_post_without_any_cookie_is_refused_before_its_body_is_read(world, monkeypatch):
    def reads(self):
        raise AssertionError("the body was read")

    monkeypatch.setattr("django.core.handlers.wsgi.WSGIRequest._load_post_and_files", reads)
    stranger = Person(None, world.table)
    stranger.client.cookies.clear()

    assert stranger.client.post("/quick/", {"x": MARK}).status_code == 403
