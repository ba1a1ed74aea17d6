"""The form of a quick game in the lobby."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.models import Level, Tempo
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS


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
