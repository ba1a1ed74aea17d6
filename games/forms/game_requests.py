"""The form of a game that a user looks for."""

from django import forms
from django.http import QueryDict
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.site.choice_fields import choice_field
from games import wording
from games.forms.house_rules import explained
from games.selectors.open_tables import SIZES
from games.services.game_requests import PACES, How, Search


class GameRequestForm(forms.Form):
    """Asks for the pace, the languages, the number of players, and for a seat or a call."""

    pace = forms.ChoiceField(label=_("Pace"), widget=forms.RadioSelect, required=False)
    languages = forms.MultipleChoiceField(
        label=_("Languages you play in"),
        help_text=_("Any language is fine? Leave them all unticked."),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    size = forms.ChoiceField(label=_("Players"), required=False)
    how = forms.ChoiceField(label=_("What happens next"), widget=forms.RadioSelect, required=False)
    takes_bots = forms.BooleanField(label=_("Bots may fill in after a minute"), required=False)

    def __init__(
        self, data: QueryDict | None = None, *, search: Search, takes_bots: bool = True
    ) -> None:
        initial = {
            "pace": search.pace,
            "languages": list(search.languages),
            "size": search.size,
            "how": How.SEAT.value,
            "takes_bots": takes_bots,
        }
        super().__init__(data, initial=initial, auto_id="find_%s")
        any_ = pgettext_lazy("lobby", "Any")
        choice_field(self, "pace").choices = [
            *(
                (pace.value, explained(pace.label, wording.time_in_words(pace.time)))
                for pace in PACES
            ),
            ("", explained(any_, "")),
        ]
        choice_field(self, "languages").choices = [
            (code, format_html('<span lang="{}">{}</span>', code, wording.spoken_name(code)))
            for code in wording.SPOKEN
        ]
        choice_field(self, "size").choices = [
            ("", any_),
            *((code, wording.size_in_words(code)) for code in SIZES),
        ]
        call = _("Call me")
        choice_field(self, "how").choices = [
            (How.SEAT.value, explained(_("Seat me"), _("as soon as there’s a game"))),
            (How.HOUR.value, explained(call, _("within an hour"))),
            (How.DAY.value, explained(call, _("within a day"))),
            (How.WEEK.value, explained(call, _("within a week"))),
        ]

    @property
    def search(self) -> Search:
        """What a valid form asks for."""
        data = self.cleaned_data
        return Search(data["pace"], tuple(data["languages"]), data["size"])

    @property
    def chosen_how(self) -> How:
        return How(self.cleaned_data["how"] or How.SEAT)
