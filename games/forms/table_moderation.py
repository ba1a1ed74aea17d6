"""The forms with which moderators keep order at a table."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.site.choice_fields import choice_field, choices_of
from games.models import Ruling
from games.services.table_moderation import Heir

_LONGEST_REASON = 300


class RulingForm(forms.Form):
    """A moderator's reasons for a ruling: one for the table, one for other moderators."""

    because = forms.ChoiceField(
        label=_("Reason everyone at the table sees"), choices=Ruling.Because
    )
    reason = forms.CharField(
        label=_("What happened (only moderators see this)"),
        max_length=_LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class ThawForm(forms.Form):
    reason = forms.CharField(
        label=_("How it turned out (only moderators see this)"),
        max_length=_LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class ReplaceForm(RulingForm):
    """A ruling that replaces a player. `seats` holds value and name of each replaceable seat."""

    field_order = ("seat", "heir", "because", "reason")

    seat = forms.ChoiceField(label=_("Seat"))
    heir = forms.ChoiceField(
        label=_("Who takes over"),
        choices=[(Heir.BOT, _("A bot")), (Heir.WAITING, _("The first on the waiting list"))],
    )

    def __init__(
        self, *args: Any, seats: Sequence[tuple[str, str]], waits: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        choice_field(self, "seat").choices = list(seats)
        if not waits:
            choice_field(self, "heir").choices = choices_of(self, "heir")[:1]

    @property
    def number(self) -> int:
        return int(self.cleaned_data["seat"].partition(":")[0])

    @property
    def name(self) -> str:
        return str(self.cleaned_data["seat"]).partition(":")[2]
