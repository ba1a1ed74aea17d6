"""Fixtures: a site with limits, a clock that tests can move, and a second table in play."""

from collections.abc import Callable, Iterator

import pytest
from django.core.cache import cache

from accounts.throttling import limits
from config.cache.circuit_breaker import FUSE
from games.models import Table
from tests.builders.person import Person
from tests.builders.tables import person, position, run_table
from tests.games.conftest import (  # noqa: F401
    seated,
    spectator,
    stranger,
    table,
)

GUESTS = ("Nadia", "Olek", "Petra", "Quim", "Rosa")


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch) -> Iterator[Clock]:
    """Reset all limits, and stop the clock: time passes only when the test moves it."""
    clock = Clock()
    monkeypatch.setattr(limits._memory, "_clock", clock)
    monkeypatch.setattr(FUSE, "_clock", clock)
    monkeypatch.setattr(FUSE, "_tries_again_at", None)
    limits.forget_all()
    cache.clear()
    yield clock
    limits.forget_all()
    cache.clear()


@pytest.fixture
def limited(settings) -> Callable[..., None]:
    """Return a function that sets rates: limited(actions="3/minute")."""

    def set_rates(**rates: str) -> None:
        settings.LIMITS = {**settings.LIMITS, **rates}

    return set_rates


class OtherTable:
    """A separate table with five players, who act by the buttons of their pages."""

    def __init__(self) -> None:
        self.table: Table = run_table(GUESTS)
        self.people = [Person(person(name), self.table) for name in GUESTS]

    def goes_on(self) -> bool:
        """Nominate and elect a government; return whether every click had an effect."""
        before = position(self.table).length
        clicks = [self.people[0].press("nominate:2")]
        clicks += [guest.press("vote:ja", htmx=True) for guest in self.people]
        assert [answer.status_code for answer in clicks] == [303, 200, 200, 200, 200, 200]
        return position(self.table).length == before + len(clicks)


@pytest.fixture
def other(db) -> OtherTable:
    return OtherTable()
