"""Pages are made in this process, and a real browser looks at them."""

from collections.abc import Iterator

import pytest

from tests.browser.conftest import chromium  # noqa: F401  a fixture
from tests.games.conftest import _no_memory  # noqa: F401  a fixture


@pytest.fixture(scope="package", autouse=True)
def _one_thread() -> Iterator[None]:
    """While Playwright is open its loop counts as running here, and Django would ask no database.

    Nothing of the loop touches one.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        yield
