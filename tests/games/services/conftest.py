"""Five browsers for a sealed table."""

import pytest

from tests.builders.sealing import Browser
from tests.builders.tables import NAMES


@pytest.fixture
def browsers(db) -> list[Browser]:
    return [Browser(name) for name in NAMES[:5]]
