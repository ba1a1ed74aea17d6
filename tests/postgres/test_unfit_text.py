"""NUL and lone surrogates in every part of every request give an ordinary refusal, never a 500.

SQLite stores a NUL and PostgreSQL does not, so this runs on both (test_on_postgres.py); the actor
with the most rights, who reaches every address, runs on the stricter one only. A visitor tries the
addresses that do not answer as they answer the host.
"""

import logging
from collections.abc import Iterator
from zlib import crc32

import pytest
from django.core.cache import cache
from django.urls import resolve

from tests.nightly import NIGHTLY
from tests.secrecy.access_table import ACCESS, PUBLIC
from tests.secrecy.access_world import enter, world_of
from tests.secrecy.posted import PLAUSIBLE, body_of, fields_of, in_groups, sent

pytestmark = pytest.mark.both_databases

UNFIT = "a\0b"


@pytest.fixture(autouse=True)
def _quiet(settings) -> Iterator[None]:
    settings.ACCOUNT_RATE_LIMITS = {}
    cache.clear()
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize(
    "actor",
    # PostgreSQL's short run takes the first case of a test.
    [
        pytest.param("superuser", marks=pytest.mark.on_postgres),
        *(pytest.param(actor, marks=pytest.mark.nightly) for actor in ("host", "anonymous")),
    ],
)
def test_no_address_breaks_on_a_nul(db, actor):
    world = world_of(PUBLIC)
    viewer = enter(actor, world)
    wrong = {}

    def ask(what: object, method: str, path: str, body: bytes = b"") -> int:
        status = sent(viewer, method, path, body)
        if status >= 500:
            wrong[what] = status
        return status

    for name, door in ACCESS.items():
        # Middleware and forms refuse a NUL for all addresses: by day some of them show it.
        if not NIGHTLY and crc32(name.encode()) % 8:
            continue
        if actor == "anonymous" and door.answers_as_the_host(name, actor, world.kind):
            continue
        path, form = world.address(door.path), door.form(world)
        arguments = {str(value) for value in resolve(path).kwargs.values()}
        for part in arguments & set(path.split("/")):
            bent = path.replace(f"/{part}/", "/a%00b/")
            for method in ("GET", "POST"):
                if ask((name, method, part), method, bent) not in (302, 404, 405):
                    wrong[name, method, part] = "is there"
        for fields in in_groups(fields_of(viewer, "GET", path, form)):
            query = "&".join(f"{field}=a%00b" for field in fields)
            ask((name, "GET", *fields), "GET", f"{path}?{query}")
        for fields in in_groups(fields_of(viewer, "POST", path, form)):
            body = body_of(PLAUSIBLE | form | dict.fromkeys(fields, UNFIT))
            ask((name, "POST", *fields), "POST", path, body)
    assert wrong == {}


def test_no_account_has_a_name_with_a_nul(db):
    host = enter("host", world_of(PUBLIC))
    for act in ("ask", "block"):
        answer = host.post(f"/account/people/{act}/", {"name": UNFIT})
        assert answer.status_code == 422 and "Null characters" in answer.content.decode()
    for act in ("accept", "decline", "remove", "unblock"):
        assert host.post(f"/account/people/{act}/", {"name": UNFIT}).status_code == 303


def test_a_nul_that_a_view_passes_to_the_database_is_a_bad_request(db, settings):
    """allauth looks up an address exactly as it was posted, without a form."""
    settings.MAIL_ARRIVES = True
    host = enter("host", world_of(PUBLIC))
    answer = host.post("/account/e-mail/", {"email": "a\0@example.org", "action_send": ""})
    assert answer.status_code in (302, 400)
