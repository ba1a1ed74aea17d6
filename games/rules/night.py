"""The first night: whether Hitler looks too. `games.wording.night` tells it step by step."""

from typing import Final, assert_never

from games.rules.editions import HitlerKnows, Options

# With up to this number of players, Hitler opens their eyes too.
_HITLER_LOOKS_UP_TO: Final = 6


def hitler_looks(options: Options, players: int) -> bool:
    """Return whether Hitler opens their eyes too and learns who the fascists are."""
    match options.hitler_knows:
        case HitlerKnows.SMALL_TABLES:
            return players <= _HITLER_LOOKS_UP_TO
        case HitlerKnows.ALWAYS:
            return True
        case HitlerKnows.NEVER:
            return False
        case _:
            assert_never(options.hitler_knows)
