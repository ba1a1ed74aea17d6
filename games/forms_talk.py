"""What people post about the talk of a table."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games.models import Message


class SayForm(forms.Form):
    """Something to say. What is too long or says nothing, the service says."""

    text = forms.CharField(required=False, strip=False)
    place = forms.ChoiceField(choices=Message.Place.choices)
    key = forms.CharField(max_length=64, required=False)


class RemoveForm(forms.Form):
    """Why a message is taken away: for the other moderators."""

    reason = forms.CharField(label=_("Reason"), max_length=300)
