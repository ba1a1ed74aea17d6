"""Pages are made in this process, and a real browser looks at them."""

from tests.browser.conftest import chromium  # noqa: F401  a fixture
from tests.games.conftest import _no_memory  # noqa: F401  a fixture
from tests.language.conftest import _one_thread  # noqa: F401  a fixture
