"""Fixtures that isolate the tests of secrecy from each other."""

import logging
from collections.abc import Iterator

import pytest
from channels.layers import channel_layers
from django.urls import set_script_prefix

from config.http import middleware
from tests.builders.person import Person
from tests.secrecy.stage import forget


@pytest.fixture(autouse=True)
def _forgetful(settings, monkeypatch) -> Iterator[None]:
    """Clear what outlives a test: primary keys are reused, and a URL prefix stays in its thread."""
    # All users sign in at once: the order of signing in would tell them apart, and sockets open in
    # coroutines.
    monkeypatch.setattr(Person, "signs_in_at_once", True)
    # The sweep's statement every other second belongs to no viewer who is compared.
    settings.SOCKET_SWEEP_SECONDS = 3600.0
    # The request ID is random and differs in every answer.
    monkeypatch.setattr(middleware, "_request_id", lambda request: "0" * 16)
    forget()
    yield
    forget()
    set_script_prefix("/")
    channel_layers.backends.clear()


@pytest.fixture
def quiet() -> Iterator[None]:
    """Silence the log: such tests provoke thousands of refusals."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)
