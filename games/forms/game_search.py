"""The filters of the search for finished games."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.profiles.names import LONGEST_COMPARED
from accounts.site.choice_fields import choice_field
from games import wording
from games.models import Moment
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS
from games.rules.editions import EDITIONS
from games.rules.phases import Ending
from games.selectors.game_search import GameFilters


def _day(label: Any) -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, required=False, input_formats=["%Y-%m-%d"], widget=widget)


class GameSearchForm(forms.Form):
    """Reads the filters from a query string. A filter with an error does not filter."""

    player = forms.CharField(label=_("Player"), required=False, max_length=LONGEST_COMPARED)
    edition = forms.ChoiceField(label=_("Rules"), required=False)
    players = forms.ChoiceField(label=_("Players"), required=False)
    ending = forms.ChoiceField(label=_("How it ended"), required=False)
    moment = forms.ChoiceField(label=pgettext_lazy("games", "What happened"), required=False)
    since = _day(pgettext_lazy("games", "From this day"))
    until = _day(pgettext_lazy("games", "Until this day"))

    def __init__(self, data: Any, **kwargs: Any) -> None:
        super().__init__(data, auto_id="search_%s", **kwargs)
        every = ("", pgettext_lazy("lobby", "Any"))
        choices: dict[str, list[tuple[str, Any]]] = {
            "edition": [(code, wording.edition_name(code)) for code in EDITIONS],
            "players": [(str(n), str(n)) for n in range(LEAST_PLAYERS, MOST_PLAYERS + 1)],
            "ending": [(ending.value, wording.ending(ending)) for ending in Ending],
            "moment": [(value, wording.moment(value)) for value in Moment.values],
        }
        for name, values in choices.items():
            choice_field(self, name).choices = [every, *values]

    def filters(self) -> GameFilters:
        """Return the filters without errors."""
        self.is_valid()
        given = self.cleaned_data
        return GameFilters(
            player=given.get("player", ""),
            edition=given.get("edition", ""),
            players=int(given.get("players") or 0),
            ending=given.get("ending", ""),
            moments=(given["moment"],) if given.get("moment") else (),
            since=given.get("since"),
            until=given.get("until"),
        )
