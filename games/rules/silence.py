"""Who may not talk while the policies are passed on: RULES.md, `silence`."""

from typing import Final

from .editions import Silence
from .state import Phase
from .view import View

# From the President's draw until a policy is enacted or a veto ends the session.
_SESSION: Final = (Phase.PRESIDENT_DISCARDS, Phase.CHANCELLOR_ENACTS, Phase.VETO_PROPOSED)


def silence_in(view: View) -> Silence | None:
    """The silence that holds now; None where everybody may talk."""
    return view.options.silence if view.phase in _SESSION else None


def silenced(view: View) -> tuple[int, ...]:
    """The living seats that may say nothing to the table now.

    With `pair` the two may not talk to each other only; where all hear everything that is said,
    that is the same as not talking at all.
    """
    silence = silence_in(view)
    if silence is None:
        return ()
    if silence is Silence.TABLE:
        return view.alive
    assert view.president is not None and view.chancellor is not None
    return (view.president, view.chancellor)
