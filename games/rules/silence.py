"""Who may not talk during a legislative session: RULES.md, `silence`."""

from typing import Final, assert_never

from .editions import Silence
from .phases import Phase
from .view import View

# From the President's draw until a policy is enacted or a veto ends the session.
_SESSION: Final = (Phase.PRESIDENT_DISCARDS, Phase.CHANCELLOR_ENACTS, Phase.VETO_PROPOSED)


def silence_in(view: View) -> Silence | None:
    """Return the silence rule in force now, or None if everyone may talk."""
    return view.options.silence if view.phase in _SESSION else None


def silenced(view: View) -> tuple[int, ...]:
    """Return the living seats that may not talk at the table now.

    With `pair` the two officers may talk, but not to each other. Everyone hears everything that is
    said at the table, so this means that they may not talk at all.
    """
    silence = silence_in(view)
    if silence is None:
        return ()
    match silence:
        case Silence.TABLE:
            return view.alive
        case Silence.PAIR | Silence.GOVERNMENT:
            assert view.president is not None and view.chancellor is not None
            return (view.president, view.chancellor)
        case _:
            assert_never(silence)
