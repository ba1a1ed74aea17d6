"""Sessions that an older version of the site has stored."""

from importlib import import_module
from types import SimpleNamespace

from django.apps import apps
from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client

move = import_module("accounts.migrations.0013_backend_path")


def test_a_session_from_before_the_backend_moved_stays_signed_in(at_home: Client) -> None:
    session = at_home.session
    session[BACKEND_SESSION_KEY] = move.OLD
    session.save()
    move.keep_people_signed_in(apps, SimpleNamespace(connection=connection))

    assert at_home.get("/account/").status_code == 200
    assert Session.objects.count() == 1
