"""Short labels of the moments of a game that can be searched for."""

from typing import Final

from django.utils.translation import pgettext_lazy

# By the values of `games.models.Moment`, which stands above this package.
_MOMENTS: Final = {
    "hitler_elected": pgettext_lazy("moment", "Hitler elected"),
    "hitler_executed": pgettext_lazy("moment", "Hitler executed"),
    "veto": pgettext_lazy("moment", "Veto"),
    "veto_refused": pgettext_lazy("moment", "Veto refused"),
    "chaos": pgettext_lazy("moment", "Chaos"),
    "liberal_shot_hitler": pgettext_lazy("moment", "A liberal shot Hitler"),
    "liberal_shot_liberal": pgettext_lazy("moment", "A liberal shot a liberal"),
    "honest_accuser_ignored": pgettext_lazy("moment", "An honest accuser wasn’t believed"),
    "no_liberal_policy": pgettext_lazy("moment", "No liberal policy"),
    "no_fascist_policy": pgettext_lazy("moment", "No fascist policy"),
}


def moment(value: str) -> str:
    """Return the label of a moment."""
    return str(_MOMENTS[value])
