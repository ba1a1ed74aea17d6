"""The form of "Play now": what a user wants to play."""

from django import forms
from django.http import QueryDict
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.site.choice_fields import choice_field
from games import wording
from games.forms.opening import explained
from games.models import Pace
from games.rules.editions import EDITIONS
from games.selectors.open_tables import SIZES
from games.services.seekers import PACES, Search


class SearchForm(forms.Form):
    """Asks for pace, languages, number of players and edition."""

    pace = forms.ChoiceField(label=_("Pace"), widget=forms.RadioSelect, required=False)
    languages = forms.MultipleChoiceField(
        label=_("Languages you play in"),
        help_text=_("Any language is fine? Leave them all unticked."),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    size = forms.ChoiceField(label=_("Players"), required=False)
    edition = forms.ChoiceField(label=_("Rules"), required=False)

    def __init__(self, data: QueryDict | None = None, *, search: Search) -> None:
        initial = {
            "pace": search.pace,
            "languages": list(search.languages),
            "size": search.size,
            "edition": search.edition,
        }
        super().__init__(data, initial=initial, auto_id="seek_%s")
        every = ("", pgettext_lazy("lobby", "Any"))
        choice_field(self, "pace").choices = [
            (pace.value, explained(pace.label, wording.time_in_words(pace.time))) for pace in PACES
        ]
        choice_field(self, "languages").choices = [
            (code, format_html('<span lang="{}">{}</span>', code, wording.spoken_name(code)))
            for code in wording.SPOKEN
        ]
        choice_field(self, "size").choices = [
            every,
            *((code, wording.size_in_words(code)) for code in SIZES),
        ]
        choice_field(self, "edition").choices = [
            every,
            *((code, wording.edition_name(code)) for code in EDITIONS),
        ]

    @property
    def search(self) -> Search:
        """What a valid form asks for."""
        data = self.cleaned_data
        return Search(
            pace=data["pace"] or Pace.NORMAL.value,
            languages=tuple(data["languages"]),
            edition=data["edition"],
            size=data["size"],
        )
