"""The forms for reporting users, and for moderators who work on the reports."""

from datetime import timedelta
from typing import Any, Final

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from accounts.models import Sanction
from accounts.site.choice_fields import choice_field, choices_of
from games.models import Case, Reason
from games.services.reports import LONGEST_WORDS

_AGES: Final = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1)}
_DAYS: Final = (1, 3, 7, 30, 90, 365)


class ReportForm(forms.Form):
    """A report's reason and its free text. The reasons are buttons: see `report.html`."""

    words = forms.CharField(
        label=_("In your own words"),
        help_text=_("Optional. We attach the table’s chat automatically."),
        max_length=LONGEST_WORDS,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    reason = forms.ChoiceField(
        choices=Reason, error_messages={"required": _("Choose what’s wrong.")}
    )
    # The name of the seat as the page showed it.
    called = forms.CharField(max_length=150, required=False, strip=False)

    def __init__(self, *args: Any, has_chat: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not has_chat:
            self.fields["words"].help_text = pgettext("words", "Optional.")


class QueueForm(forms.Form):
    """A moderator's filters for the queue. Invalid filters are ignored."""

    reason = forms.ChoiceField(
        label=_("Reason"),
        choices=[("", pgettext_lazy("reason", "Any")), *Reason.choices],
        required=False,
    )
    age = forms.ChoiceField(
        label=pgettext_lazy("case", "Waiting"),
        choices=[
            ("", pgettext_lazy("waiting", "Any time")),
            ("hour", _("More than an hour")),
            ("day", _("More than a day")),
            ("week", _("More than a week")),
        ],
        required=False,
    )
    held = forms.ChoiceField(
        label=pgettext_lazy("case", "Taken"),
        choices=[
            ("", pgettext_lazy("taken", "Taken or not")),
            ("nobody", pgettext_lazy("taken", "Not taken yet")),
            ("mine", pgettext_lazy("taken", "By me")),
        ],
        required=False,
    )
    language = forms.ChoiceField(
        label=_("Language"),
        choices=[("", pgettext_lazy("language", "Any")), *settings.LANGUAGES],
        required=False,
    )
    state = forms.ChoiceField(
        label=pgettext_lazy("case", "State"),
        choices=[
            ("", pgettext_lazy("cases", "Open")),
            ("decided", pgettext_lazy("cases", "Decided")),
        ],
        required=False,
    )

    @property
    def wanted(self) -> dict[str, str]:
        """The filters that are set."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}

    @property
    def waiting(self) -> timedelta | None:
        return _AGES.get(self.wanted.get("age", ""))


class HandOverForm(forms.Form):
    to = forms.IntegerField(min_value=1, max_value=2**31)


class DecideForm(forms.Form):
    """A decision: a dismissal, or a sanction with its end and its reason."""

    kind = forms.ChoiceField(
        label=_("Decision"),
        choices=[
            ("dismiss", pgettext_lazy("decision", "Dismiss: take no action")),
            *Sanction.Kind.choices,
        ],
    )
    days = forms.TypedChoiceField(
        label=_("For how long"),
        choices=[("", pgettext_lazy("sanction", "Permanently")), *((n, str(n)) for n in _DAYS)],
        coerce=int,
        empty_value=None,
        required=False,
        # What is hard to bear has to be chosen.
        initial=_DAYS[0],
    )
    reason = forms.CharField(
        label=pgettext_lazy("sanction", "Message to the person"),
        max_length=1000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    remark = forms.CharField(
        label=_("Note for moderators"),
        max_length=1000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(self, *args: Any, case: Case, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice_field(self, "days").choices = [
            (value, _days(int(value)) if value else label)
            for value, label in choices_of(self, "days")
        ]
        self.fields["reason"].widget.attrs["lang"] = case.language
        if case.person_id is None:
            # A sanction needs an account, and this case has none.
            choice_field(self, "kind").choices = choices_of(self, "kind")[:1]

    @property
    def lasts(self) -> timedelta | None:
        days = self.cleaned_data["days"]
        if days is None or self.cleaned_data["kind"] in (Sanction.Kind.NOTE, Sanction.Kind.WARNING):
            return None
        return timedelta(days=days)


def _days(count: int) -> str:
    return ngettext("%(count)d day", "%(count)d days", count) % {"count": count}
