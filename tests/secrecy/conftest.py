"""What one test of secrecy must not leave to the next."""

from collections.abc import Iterator

import pytest
from channels.layers import channel_layers
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.urls import set_script_prefix

from config import middleware
from tests.secrecy.stage import forget


@pytest.fixture(autouse=True)
def _forgetful(settings, monkeypatch) -> Iterator[None]:
    """Tests reuse primary keys, and requests leave where the site is mounted in their thread."""
    # A statement that comes every other second belongs to nobody who is looked at.
    settings.SOCKET_SWEEP_SECONDS = 3600.0
    # Random by nature, and another in every answer.
    monkeypatch.setattr(middleware, "_request_id", lambda request: "0" * 16)
    forget()
    yield
    forget()
    set_script_prefix("/")
    channel_layers.backends.clear()


@pytest.fixture(autouse=True)
def _readers_stop_no_writer() -> Iterator[None]:
    """In memory, SQLite has a reader in one thread stop a writer in another at once, by table."""
    everybody = [each for each in connections.all(initialized_only=True) if each.connection]
    for each in everybody:
        _read_freely(each)
    connection_created.connect(_read_freely)
    yield
    connection_created.disconnect(_read_freely)
    for each in everybody:
        _read_freely(each, to=0)


def _read_freely(connection: BaseDatabaseWrapper, to: int = 1, **_: object) -> None:
    if connection.vendor == "sqlite" and connection.connection:
        connection.connection.execute(f"PRAGMA read_uncommitted = {to}")
