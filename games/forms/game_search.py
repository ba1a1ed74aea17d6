"""The search for finished games: a text that understands words, and the filters one by one."""

from typing import Any

from django import forms
from django.core.validators import ProhibitNullCharactersValidator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.profiles.names import LONGEST_COMPARED
from accounts.profiles.widgets import LanguageSelect
from accounts.site.choice_fields import choice_field
from games import wording
from games.analysis.moments import Moment
from games.models import Pace
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS, Party, Role
from games.rules.editions import EDITIONS
from games.rules.phases import Ending
from games.selectors.game_filters import MOST_NAMES, PLAYER_FILTERS, GameFilters
from games.text.game_query import LONGEST_QUERY


class NamesField(forms.Field):
    """Several names, each in a hidden field of its own."""

    widget = forms.MultipleHiddenInput
    hidden_widget = forms.MultipleHiddenInput

    def to_python(self, value: Any) -> tuple[str, ...]:
        names = tuple(dict.fromkeys(name for each in value or () if (name := each.strip())))
        if len(names) > MOST_NAMES or any(len(name) > LONGEST_COMPARED for name in names):
            raise forms.ValidationError(
                _("Search for at most %(most)s players at once, each by a whole name."),
                params={"most": MOST_NAMES},
            )
        for name in names:
            ProhibitNullCharactersValidator()(name)
        return names


class MomentsField(forms.MultipleChoiceField):
    """Several moments, each once. An empty value is none."""

    widget = forms.CheckboxSelectMultiple

    def to_python(self, value: Any) -> list[str]:
        return list(dict.fromkeys(each for each in super().to_python(value) if each))


def _day(label: Any) -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, required=False, input_formats=["%Y-%m-%d"], widget=widget)


class GameSearchForm(forms.Form):
    """Reads the filters from a query string. A filter with an error does not filter."""

    q = forms.CharField(
        label=_("Search by words"),
        help_text=_(
            "Players, rules, an ending, a month: in any order. Put a name in quotes if it could "
            "mean something else."
        ),
        required=False,
        max_length=LONGEST_QUERY,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    player = NamesField(label=_("Player"), required=False)
    result = forms.ChoiceField(label=_("Player’s result"), required=False)
    role = forms.ChoiceField(label=_("Player’s role"), required=False)
    edition = forms.ChoiceField(label=_("Rules"), required=False)
    players = forms.ChoiceField(label=_("Players"), required=False)
    winner = forms.ChoiceField(label=pgettext_lazy("games", "Who won"), required=False)
    ending = forms.ChoiceField(label=_("How it ended"), required=False)
    pace = forms.ChoiceField(label=_("Pace"), required=False)
    language = forms.ChoiceField(label=_("Language"), required=False, widget=LanguageSelect)
    since = _day(pgettext_lazy("games", "From this day"))
    until = _day(pgettext_lazy("games", "Until this day"))
    moment = MomentsField(label=pgettext_lazy("games", "All of this happened"), required=False)

    def __init__(self, data: Any, **kwargs: Any) -> None:
        super().__init__(data, auto_id="search_%s", **kwargs)
        every = ("", pgettext_lazy("lobby", "Any"))
        choices: dict[str, list[tuple[str, Any]]] = {
            "result": [
                ("won", pgettext_lazy("games", "Won")),
                ("lost", pgettext_lazy("games", "Lost")),
            ],
            "role": [(role.value, wording.role(role)) for role in Role],
            "edition": [(code, wording.edition_name(code)) for code in EDITIONS],
            "players": [(str(n), str(n)) for n in range(LEAST_PLAYERS, MOST_PLAYERS + 1)],
            "winner": [(party.value, wording.winner(party)) for party in Party],
            "ending": [(ending.value, wording.ending(ending)) for ending in Ending],
            "pace": list(Pace.choices),
            "language": [(code, wording.spoken_name(code)) for code in wording.SPOKEN],
        }
        for name, values in choices.items():
            choice_field(self, name).choices = [every, *values]
        choice_field(self, "moment").choices = [
            (each.value, wording.moment(each)) for each in Moment
        ]

    def filter_fields(self, *, has_players: bool) -> list[forms.BoundField]:
        """Return the fields that stand one by one below the text, of players only if any is."""
        left_out = {"q", "player", "moment", *(() if has_players else PLAYER_FILTERS)}
        return [field for field in self if field.name not in left_out]

    def filters(self) -> GameFilters:
        """Return the filters without errors, apart from what the text says.

        Days the wrong way round are the same period: nothing ends before it begins.
        """
        self.is_valid()
        given = self.cleaned_data
        since, until = given.get("since"), given.get("until")
        if since and until and since > until:
            since, until = until, since
        return GameFilters(
            names=given.get("player", ()),
            result=given.get("result", ""),
            role=given.get("role", ""),
            edition=given.get("edition", ""),
            players=int(given.get("players") or 0),
            winner=given.get("winner", ""),
            ending=given.get("ending", ""),
            moments=tuple(given.get("moment", ())),
            pace=given.get("pace", ""),
            language=given.get("language", ""),
            since=since,
            until=until,
        )
