"""The seal at a real table, and the record that shows it was kept: RECORD.md."""

import json
from hashlib import sha256

import pytest

from games.models import Table
from games.rules import record
from games.services import play, tables
from tests.games.person import Person
from tests.games.stories import (
    NAMES,
    contribution,
    fresh,
    gather,
    is_over,
    person,
    play_until,
    position,
    run_table,
)
from tests.rules.naive_seal import *  # noqa: F403
