"""Labels of the decisions that a game waits for."""

from typing import Final

from django.utils.translation import pgettext_lazy

from games.rules.phases import AnyPhase, Phase
from games.rules.powers import Power

from .powers import WORDS

_PHASES: Final = {
    Phase.NOMINATION: pgettext_lazy("phase", "Nomination"),
    Phase.ELECTION: pgettext_lazy("phase", "Election"),
    Phase.PRESIDENT_DISCARDS: pgettext_lazy("phase", "The President discards"),
    Phase.CHANCELLOR_ENACTS: pgettext_lazy("phase", "The Chancellor enacts"),
    Phase.VETO_PROPOSED: pgettext_lazy("phase", "Veto proposed"),
    Phase.OVER: pgettext_lazy("phase", "Game over"),
}


def phase(value: AnyPhase | str) -> str:
    """Return the label of the decision that the game is waiting for."""
    if value in tuple(Power):
        return str(WORDS[Power(value)].phase)
    return str(_PHASES[Phase(value)])
