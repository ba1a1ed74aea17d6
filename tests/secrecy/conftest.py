"""What one test of secrecy must not leave to the next."""

from collections.abc import Iterator

import pytest
from channels.layers import channel_layers
from django.urls import set_script_prefix

from config import middleware
from tests.games.person import Person
from tests.secrecy.stage import forget


@pytest.fixture(autouse=True)
def _forgetful(settings, monkeypatch) -> Iterator[None]:
    """Tests reuse primary keys, and requests leave where the site is mounted in their thread."""
    # Nobody is told apart by who came first, and sockets open in coroutines.
    monkeypatch.setattr(Person, "signs_in_at_once", True)
    # A statement that comes every other second belongs to nobody who is looked at.
    settings.SOCKET_SWEEP_SECONDS = 3600.0
    # Random by nature, and another in every answer.
    monkeypatch.setattr(middleware, "_request_id", lambda request: "0" * 16)
    forget()
    yield
    forget()
    set_script_prefix("/")
    channel_layers.backends.clear()
