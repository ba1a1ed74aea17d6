"""Fixtures: Django's test client renders the pages, and a real browser displays them."""

from tests.browser.conftest import chromium  # noqa: F401  a fixture
from tests.language.conftest import _one_thread  # noqa: F401  a fixture
