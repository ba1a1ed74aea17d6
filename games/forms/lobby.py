"""The forms of the lobby, and the filters of one's own games."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from accounts.profiles.widgets import LanguageSelect
from accounts.site.choice_fields import choice_field
from games import wording
from games.models import Level, Pace, Tempo
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS
from games.rules.editions import EDITIONS
from games.selectors.open_tables import SIZES, TableFilters
from games.selectors.own_games import OwnGamesFilters


def _quick_sizes() -> list[tuple[int, str]]:
    return [
        (number, ngettext("%(number)s player", "%(number)s players", number) % {"number": number})
        for number in range(LEAST_PLAYERS, MOST_PLAYERS + 1)
    ]


class QuickGameForm(forms.Form):
    """The number of players of a quick game, and the level and the tempo of its bots."""

    players = forms.TypedChoiceField(
        label=_("Players"), coerce=int, required=False, empty_value=None, choices=_quick_sizes
    )
    level = forms.TypedChoiceField(
        label=_("Your opponents"),
        coerce=Level,
        required=False,
        empty_value=None,
        choices=[
            (Level.BEGINNER, _("Beginner level")),
            (Level.REGULAR, _("Regular level")),
            (Level.EXPERT, _("Expert level")),
        ],
    )
    tempo = forms.TypedChoiceField(
        label=_("How fast they play"),
        coerce=Tempo,
        required=False,
        empty_value=None,
        choices=[
            (Tempo.SLOW, _("Slow speed: time to think")),
            (Tempo.NORMAL, _("Normal speed: easy to follow")),
            (Tempo.FAST, _("Fast speed: for a quick game")),
        ],
    )

    def __init__(self, *args: Any, form_id: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if form_id:
            # Its fields stand outside the form.
            for field in self.fields.values():
                field.widget.attrs["form"] = form_id


class TableFiltersForm(forms.Form):
    """Shows the current filters. `Wanted.read` reads them from the query string."""

    edition = forms.ChoiceField(label=_("Rules"), required=False)
    size = forms.ChoiceField(label=_("Players"), required=False)
    pace = forms.ChoiceField(label=_("Pace"), required=False)
    language = forms.ChoiceField(label=_("Language"), required=False, widget=LanguageSelect)
    free = forms.BooleanField(label=_("With a free seat"), required=False)
    friends = forms.BooleanField(label=_("With my friends"), required=False)

    def __init__(self, filters: TableFilters, *, is_signed_in: bool, **kwargs: Any) -> None:
        initial = {name: getattr(filters, name) for name in self.base_fields}
        super().__init__(initial=initial, auto_id="wanted_%s", **kwargs)
        every = ("", pgettext_lazy("lobby", "Any"))
        choices: dict[str, list[tuple[str, Any]]] = {
            "edition": [(code, wording.edition_name(code)) for code in EDITIONS],
            "size": [(code, wording.size_in_words(code)) for code in SIZES],
            "pace": Pace.choices,
            "language": [(code, wording.spoken_name(code)) for code in wording.SPOKEN],
        }
        for name, values in choices.items():
            choice_field(self, name).choices = [every, *values]
        if not is_signed_in:
            del self.fields["friends"]


class OwnGamesForm(forms.Form):
    """Shows the current filters of one's own games."""

    result = forms.ChoiceField(label=_("Result"), required=False)
    edition = forms.ChoiceField(label=_("Rules"), required=False)
    size = forms.ChoiceField(label=_("Players"), required=False)
    company = forms.ChoiceField(label=_("Company"), required=False)

    def __init__(self, filters: OwnGamesFilters, **kwargs: Any) -> None:
        initial = {name: getattr(filters, name) for name in self.base_fields}
        super().__init__(initial=initial, auto_id="own_%s", **kwargs)
        every = ("", pgettext_lazy("lobby", "Any"))
        choices: dict[str, list[tuple[str, Any]]] = {
            "result": [
                ("won", pgettext_lazy("games", "Won")),
                ("lost", pgettext_lazy("games", "Lost")),
                ("stopped", pgettext_lazy("games", "Ended early")),
            ],
            "edition": [(code, wording.edition_name(code)) for code in EDITIONS],
            "size": [(code, wording.size_in_words(code)) for code in SIZES],
            "company": [("people", _("People only")), ("bots", _("With bots"))],
        }
        for name, values in choices.items():
            choice_field(self, name).choices = [every, *values]
