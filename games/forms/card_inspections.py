"""The form in which a moderator says why they look at hidden cards."""

import secrets
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from games.models import CardInspection

# The minimum number of letters in a reason; half of them must be different.
_REASON_LETTERS: Final = 10


class InspectCardsForm(forms.Form):
    """A moderator's reason to look at hidden cards, and the key that limits a form to one look."""

    reason = forms.CharField(
        label=_("Why do you need to look?"),
        help_text=_(
            "In a few words. When the game ends, every player at this table sees your "
            "reason, but not your name."
        ),
        max_length=CardInspection._meta.get_field("reason").max_length,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    key = forms.CharField(
        max_length=CardInspection._meta.get_field("key").max_length, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("key", secrets.token_urlsafe(16))

    def clean_reason(self) -> str:
        """Reduce the reason to one line and check its length.

        The length is counted in letters, because not every script puts spaces between words.
        """
        reason = " ".join(self.cleaned_data["reason"].split())
        letters = [character.casefold() for character in reason if character.isalnum()]
        if len(letters) < _REASON_LETTERS or len(set(letters)) < _REASON_LETTERS // 2:
            raise forms.ValidationError(
                _("Say a little more, so that the players can understand why you looked."),
                code="too_short",
            )
        return reason
