"""The form for a user's notes."""

from typing import Any

from django import forms

from games.models import Suspicion
from games.rules.components import MOST_PLAYERS


class NotesForm(forms.Form):
    # The service counts graphemes and refuses texts that are too long.
    text = forms.CharField(required=False, strip=False)
    base = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 1)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for number in range(MOST_PLAYERS):
            self.fields[f"mark_{number}"] = forms.ChoiceField(
                choices=Suspicion.choices, required=False
            )

    @property
    def marks(self) -> dict[int, str]:
        """The user's mark of each seat, for seats that have one."""
        return {
            number: mark
            for number in range(MOST_PLAYERS)
            if (mark := self.cleaned_data.get(f"mark_{number}"))
        }
