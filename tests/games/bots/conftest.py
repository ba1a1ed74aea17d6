"""Games that several modules read and none changes."""

from itertools import cycle, islice

import pytest

from games import bots
from games.rules.editions import options_of
from games.simulation.talk import play_with_talk
from tests.nightly import times

GAMES = times("TALK_GAMES", 6, 24)


@pytest.fixture(scope="session")
def ten():
    """Games of ten bots, two of each character, by three editions."""
    kinds = tuple(islice(cycle(bots.CHARACTERS), 10))
    editions = ("en", "ja", "pl")
    return [
        play_with_talk(options_of(editions[number % 3]), kinds, f"talk {number}")
        for number in range(GAMES)
    ]
