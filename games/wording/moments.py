"""Short labels of the moments of a game that can be searched for."""

from typing import Final

from django.utils.translation import pgettext_lazy

from games.analysis.moments import POWER_MOMENTS, Moment

from .powers import power

_MOMENTS: Final = {
    Moment.HITLER_ELECTED: pgettext_lazy("moment", "Hitler elected"),
    Moment.HITLER_EXECUTED: pgettext_lazy("moment", "Hitler executed"),
    Moment.VETO: pgettext_lazy("moment", "Veto"),
    Moment.VETO_REFUSED: pgettext_lazy("moment", "Veto refused"),
    Moment.CHAOS: pgettext_lazy("moment", "Chaos"),
    Moment.LIBERAL_SHOT_HITLER: pgettext_lazy("moment", "A liberal shot Hitler"),
    Moment.LIBERAL_SHOT_LIBERAL: pgettext_lazy("moment", "A liberal shot a liberal"),
    Moment.HONEST_ACCUSER_IGNORED: pgettext_lazy("moment", "An honest accuser wasn’t believed"),
    Moment.NO_LIBERAL_POLICY: pgettext_lazy("moment", "No liberal policy"),
    Moment.NO_FASCIST_POLICY: pgettext_lazy("moment", "No fascist policy"),
}
_POWERS: Final = {each: value for value, each in POWER_MOMENTS.items()}


def moment(value: Moment | str) -> str:
    """Return the label of a moment."""
    value = Moment(value)
    return power(_POWERS[value]) if value in _POWERS else str(_MOMENTS[value])
