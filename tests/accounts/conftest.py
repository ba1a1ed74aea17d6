from collections.abc import Iterator

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def _nobody_has_tried_yet() -> Iterator[None]:
    """The limits of allauth count in the cache."""
    cache.clear()
    yield
    cache.clear()
