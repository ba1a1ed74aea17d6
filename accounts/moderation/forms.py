"""Forms on the pages of moderators and admins."""

from datetime import datetime, timedelta
from typing import Any, Final

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from accounts.auth.roles import Rank
from accounts.models import Appeal, Sanction, User

_LONGEST_MESSAGE: Final = 300

# The terms of a sanction. In the form, "" means until it is lifted.
_TERMS: Final = {
    "1h": (_("1 hour"), timedelta(hours=1)),
    "1d": (_("1 day"), timedelta(days=1)),
    "3d": (_("3 days"), timedelta(days=3)),
    "7d": (_("7 days"), timedelta(days=7)),
    "30d": (_("30 days"), timedelta(days=30)),
    "90d": (_("90 days"), timedelta(days=90)),
    "365d": (_("1 year"), timedelta(days=365)),
}

ROLE_NAMES: Final = {
    Rank.PERSON: _("No role"),
    Rank.MODERATOR: _("Moderator"),
    Rank.SENIOR: _("Senior moderator"),
    Rank.ADMIN: _("Admin"),
}


class SanctionForm(forms.Form):
    """The kinds and terms to choose from; the service checks which of them fit together."""

    kind = forms.ChoiceField(label=_("Sanction"), choices=Sanction.Kind.choices)
    term = forms.ChoiceField(
        label=_("For how long"),
        required=False,
        choices=[
            ("", _("Until it’s lifted")),
            *((key, name) for key, (name, _span) in _TERMS.items()),
        ],
        help_text=_(
            "Only a suspension has an end date, and it needs one. Notes, warnings and bans can’t "
            "have one."
        ),
    )
    reason = forms.CharField(
        label=_("Reason"),
        help_text=_("The person will see this. If it’s a note, only moderators will."),
        max_length=Sanction._meta.get_field("reason").max_length,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    language = forms.ChoiceField(
        label=_("Language of the reason"),
        choices=settings.LANGUAGES,
        help_text=_("Already set to the language of the person’s account."),
    )

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        language = person.language or settings.LANGUAGE_CODE
        # A mild term: a longer one has to be chosen.
        kwargs["initial"] = {"language": language, "term": "1d"}
        super().__init__(*args, **kwargs)

    def ends_at(self, now: datetime) -> datetime | None:
        term = self.cleaned_data["term"]
        if not term or self.cleaned_data["kind"] in (Sanction.Kind.NOTE, Sanction.Kind.WARNING):
            return None
        return now + _TERMS[term][1]


class LiftForm(forms.Form):
    reason = forms.CharField(
        label=_("Why you’re lifting it"),
        max_length=Sanction._meta.get_field("lift_reason").max_length,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(self, *args: Any, kind: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Notes are for moderators alone.
        if kind != Sanction.Kind.NOTE:
            self.fields["reason"].help_text = _("The person will see this.")


class DecisionForm(forms.Form):
    outcome = forms.ChoiceField(
        label=_("Decision"), choices=Appeal.Outcome.choices, widget=forms.RadioSelect
    )
    answer = forms.CharField(
        label=_("Reason"),
        help_text=_("The person will see this."),
        max_length=Appeal._meta.get_field("answer").max_length,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    language = forms.ChoiceField(label=_("Language of the reason"), choices=settings.LANGUAGES)

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        kwargs["initial"] = {"language": person.language or settings.LANGUAGE_CODE}
        super().__init__(*args, **kwargs)


class RoleForm(forms.Form):
    role = forms.TypedChoiceField(
        label=_("Role"),
        coerce=lambda value: Rank(int(value)),
        choices=[(int(role), name) for role, name in ROLE_NAMES.items()],
    )


class SwitchesForm(forms.Form):
    registration = forms.BooleanField(
        label=_("New people can register"),
        required=False,
    )
    tables = forms.BooleanField(
        label=_("New tables can be opened"),
        required=False,
    )
    maintenance = forms.BooleanField(
        label=_("Maintenance"),
        required=False,
        help_text=_(
            "Running games can be finished, but no new ones will start. Every page says so."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for code, name in settings.LANGUAGES:
            self.fields[f"message_{code}"] = forms.CharField(
                label=_("Message of the day: %(language)s") % {"language": name},
                required=False,
                max_length=_LONGEST_MESSAGE,
                widget=forms.Textarea(attrs={"rows": 2, "lang": code}),
            )

    @property
    def message(self) -> dict[str, str]:
        """The message of the day, by language."""
        return {code: self.cleaned_data[f"message_{code}"] for code, _name in settings.LANGUAGES}
