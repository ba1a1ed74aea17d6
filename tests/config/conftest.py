"""The cast of the games' tests, and a clean count of tries."""

from tests.accounts.conftest import _nobody_has_tried_yet  # noqa: F401
from tests.games.conftest import (  # noqa: F401
    _no_memory,
    closed_lines,
    dead,
    neighbour,
    seated,
    spectator,
    stranger,
    table,
)
