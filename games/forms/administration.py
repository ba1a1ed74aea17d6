"""Forms for a table's own affairs: seats, the waiting list, motions."""

from typing import Any

from django import forms

from accounts.site.choice_fields import choice_field
from games import bots
from games.models import Level, Motion
from games.rules.components import MOST_PLAYERS

_NAME = 150


class SeatForm(forms.Form):
    """A seat and its occupant as the page showed them: "3:Ada"."""

    seat = forms.CharField(max_length=_NAME + 5, strip=False)

    def clean_seat(self) -> tuple[int, str]:
        number, name = _seat_and_name(self.cleaned_data["seat"])
        if not name:
            raise forms.ValidationError("", code="unclear")
        return number, name


class LevelForm(forms.Form):
    """The level of bots that fill a table."""

    level = forms.TypedChoiceField(choices=Level, coerce=Level, required=False, empty_value=None)


class BotForm(LevelForm):
    """A bot for a seat, with that seat's occupant as the page showed it: "3:Klara", or "3:"."""

    seat = forms.CharField(max_length=_NAME + 5, strip=False)
    bot = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice_field(self, "bot").choices = [(name, name) for name in bots.names()]

    def clean_seat(self) -> tuple[int, str]:
        return _seat_and_name(self.cleaned_data["seat"])


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


def _seat_and_name(text: str) -> tuple[int, str]:
    number, colon, name = text.partition(":")
    if not (number.isascii() and number.isdigit() and len(number) < 3 and colon):
        raise forms.ValidationError("", code="unclear")
    return int(number), name
