"""Forms for a table's own affairs: seats, the waiting list, motions."""

from django import forms

from games.models import Motion
from games.rules.components import MOST_PLAYERS

_NAME = 150


class SeatForm(forms.Form):
    """A seat and its occupant as the page showed them: "3:Ada"."""

    seat = forms.CharField(max_length=_NAME + 5, strip=False)

    def clean_seat(self) -> tuple[int, str]:
        number, _, name = self.cleaned_data["seat"].partition(":")
        if not (number.isascii() and number.isdigit() and len(number) < 3 and name):
            raise forms.ValidationError("", code="unclear")
        return int(number), name


class SeatingForm(forms.Form):
    shuffles = forms.TypedChoiceField(
        choices=[("yes", ""), ("no", "")], coerce=lambda value: value == "yes"
    )


class WaitingForm(forms.Form):
    wish = forms.ChoiceField(choices=[("join", ""), ("leave", "")])


class MoveForm(forms.Form):
    """A motion, with the names on the page: the absent player and the first on the waiting list."""

    kind = forms.ChoiceField(choices=Motion.Kind)
    number = forms.IntegerField(min_value=0, max_value=MOST_PLAYERS - 1, required=False)
    name = forms.CharField(max_length=_NAME, required=False, strip=False)
    substitute = forms.CharField(max_length=_NAME, required=False, strip=False)


class VoteForm(forms.Form):
    ordinal = forms.IntegerField(min_value=1, max_value=10_000)
    vote = forms.TypedChoiceField(
        choices=[("for", ""), ("against", "")], coerce=lambda value: value == "for"
    )
