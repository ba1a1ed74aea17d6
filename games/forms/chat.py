"""The forms for a table's chat."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games.models import BotsSay, Message


class SayForm(forms.Form):
    """A message. The service refuses texts that are empty or too long."""

    text = forms.CharField(required=False, strip=False)
    place = forms.ChoiceField(choices=Message.Place.choices)
    key = forms.CharField(max_length=64, required=False)


class BotsSayForm(forms.Form):
    """How much bots talk at a table."""

    bots_say = forms.ChoiceField(choices=BotsSay)


class RemoveForm(forms.Form):
    """The reason for removing a message, for the other moderators."""

    reason = forms.CharField(label=_("Reason"), max_length=300)
