"""Fixtures: the players of the games' tests, and empty rate limits."""

from tests.accounts.conftest import _nobody_has_tried_yet  # noqa: F401
from tests.games.conftest import (  # noqa: F401
    dead,
    neighbour,
    seated,
    spectator,
    stranger,
    table,
)
