"""Passwords are hashed in threads that give way, for views that are known to hash."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, BrokenBarrierError, get_native_id

import pytest
from django.contrib.auth.hashers import (
    MD5PasswordHasher,
    PBKDF2PasswordHasher,
    check_password,
    make_password,
)
from django.test import Client
from django.urls import get_resolver

from accounts.auth import hashers
from accounts.models import User
from games.models import Table
from tests.accounts.conftest import PASSWORD
from tests.accounts.office import at_the_desk, owner

SECRET = "a long way home"


@pytest.fixture
def _as_a_site(settings):
    settings.PASSWORD_HASHERS = ["accounts.auth.hashers.YieldingHasher"]


# Threads ------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("_as_a_site")
def test_a_hash_is_django_s_own(settings):
    hashed = make_password(SECRET)

    assert check_password(SECRET, hashed)
    assert not check_password("another", hashed)
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    assert check_password(SECRET, hashed)


@pytest.mark.skipif(sys.platform != "linux", reason="threads have priorities of their own on Linux")
@pytest.mark.usefixtures("_as_a_site")
def test_only_the_hash_has_a_low_priority(monkeypatch):
    seen = []
    monkeypatch.setattr(PBKDF2PasswordHasher, "encode", lambda *args: seen.append(niceness()))
    before = niceness()

    hashers.YieldingHasher().encode(SECRET, "salt")

    assert seen == [min(19, before + hashers.NICENESS)]
    assert niceness() == before


def niceness() -> int:
    """Of this thread."""
    return os.getpriority(os.PRIO_PROCESS, get_native_id())


def test_at_most_two_hashes_are_made_at_once(monkeypatch):
    three = Barrier(3)

    def encode(*args: object) -> bool:
        try:
            three.wait(0.2)
        except BrokenBarrierError:
            return False
        return True

    monkeypatch.setattr(PBKDF2PasswordHasher, "encode", encode)
    with ThreadPoolExecutor(6) as threads:
        met = list(threads.map(lambda _: hashers.YieldingHasher().encode(SECRET, "salt"), range(6)))

    assert not any(met)


# Views --------------------------------------------------------------------------------------------


class NotingHasher(MD5PasswordHasher):
    """Notes for which view it hashes."""

    view = ""
    hashed: set[str] = set()

    def encode(self, *args: str) -> str:
        self.hashed.add(NotingHasher.view)
        return super().encode(*args)

    def verify(self, *args: str) -> bool:
        self.hashed.add(NotingHasher.view)
        return super().verify(*args)


class NotingMiddleware:
    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        try:
            return self.get_response(request)
        finally:
            NotingHasher.view = ""

    def process_view(self, request, *args):
        if request.method == "POST":
            NotingHasher.view = request.resolver_match.view_name


@pytest.fixture
def hashed(settings, monkeypatch) -> set[str]:
    """The views that have hashed; "" stands for what the test does itself, and for GET."""
    settings.PASSWORD_HASHERS = [f"{__name__}.NotingHasher"]
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.NotingMiddleware"]
    monkeypatch.setattr(NotingHasher, "hashed", set())
    return NotingHasher.hashed


def test_every_view_on_the_list_has_an_address(settings):
    assert set(_names(get_resolver())) >= settings.PASSWORD_VIEWS


def test_views_that_hash_a_password_are_on_the_list(hashed, settings, db):
    ada, boris = Client(), Client()
    for name, client in (("Ada", ada), ("Boris", boris)):
        client.post("/account/register/", {"username": name, "password1": PASSWORD})
    boris.post("/account/sign-out/")
    boris.post("/account/sign-in/", {"login": "Boris", "password": PASSWORD})
    boris.post("/account/confirm/", {"password": PASSWORD})
    boris.post("/account/password/", {"oldpassword": PASSWORD, "password1": SECRET})
    terms = {"edition": "en", "seats_wanted": "7", "pace": "normal", "visibility": "private"}
    ada.post("/tables/new/", {**terms, "password": SECRET})
    table = Table.objects.get()
    boris.post(f"/tables/{table.code}/invitation/{table.invitation}/", {"password": SECRET})
    root = at_the_desk(owner())
    new = {"username": "Chika", "password1": SECRET, "password2": SECRET}
    root.post("/admin/accounts/user/add/", {**new, "usable_password": "true"})
    chika = User.objects.get(username="Chika")
    root.post(f"/admin/accounts/user/{chika.pk}/password/", {**new, "usable_password": "true"})

    reached = {"signup", "login", "reauthenticate", "change_password"}
    expected = {f"account_{name}" for name in reached} | {"games:open_table", "games:invitation"}
    expected |= {"admin:accounts_user_add", "admin:auth_user_password_change"}
    assert hashed - {""} == expected
    assert expected <= settings.PASSWORD_VIEWS


def _names(resolver, space: str = ""):
    for pattern in resolver.url_patterns:
        if hasattr(pattern, "url_patterns"):
            yield from _names(
                pattern, f"{space}{pattern.namespace}:" if pattern.namespace else space
            )
        elif pattern.name:
            yield f"{space}{pattern.name}"
