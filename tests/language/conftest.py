"""Fixtures: Django's test client renders the pages, and a real browser displays them."""

from collections.abc import Iterator

import pytest

from tests.browser.conftest import chromium  # noqa: F401  a fixture


@pytest.fixture(scope="package", autouse=True)
def _one_thread() -> Iterator[None]:
    """Let Django use the database while Playwright is open.

    Playwright's event loop runs in this thread, so Django would refuse database access as unsafe.
    It is safe: nothing in that loop uses the database.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        yield
