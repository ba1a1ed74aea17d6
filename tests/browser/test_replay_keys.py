"""The replay in a browser: by keys, by itself, and back by the browser's own button."""

import re

import pytest

from tests.browser.person import Person

PLACE = ".replay-place"


@pytest.fixture
def replayed(site, newcomer) -> Person:
    """Someone whose quick game is over, at its replay."""


def move_of(person: Person) -> str:
    return re.search(r"[?&]move=(\d+)", person.page.url)[1]
