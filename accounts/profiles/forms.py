"""Forms in which users set their preferences, profile and name."""

from datetime import time
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.db.models import Field
from django.utils.formats import time_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import NoticeSettings, User
from accounts.profiles import locale_names
from accounts.profiles.choices import MOST_SPOKEN, PAGE_PARTS, Animations, Audience, Theme
from accounts.profiles.widgets import LanguageSelect
from accounts.services.notices import WAYS, sends_mail
from accounts.services.preferences import SWITCHES
from accounts.site.choice_fields import choice_field, choices_of

_AS_SYSTEM = pgettext_lazy("preference", "Same as my device")
_NOTICES = ("daily", "untimed", "scheduled")
_SHOWS = tuple(f"shows_{part}" for part in PAGE_PARTS)
# Parts that show more than the name of their column says.
_LABELS = {"statistics": _("Your results and how you play, on leaderboards too")}


class AppearanceForm(forms.Form):
    """How the site looks, for users with and without an account."""

    theme = forms.ChoiceField(label=_("Theme"), required=False)
    motion = forms.ChoiceField(
        label=_("Animations"),
        required=False,
        help_text=_("The game never waits for an animation to finish."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice_field(self, "theme").choices = [("", _AS_SYSTEM), *Theme.choices]
        choice_field(self, "motion").choices = [("", _AS_SYSTEM), *Animations.choices]


if TYPE_CHECKING:
    _UserForm = forms.ModelForm[User]
else:
    # Django's class takes no type at runtime.
    _UserForm = forms.ModelForm


def _column(name: str) -> "Field[Any, Any]":
    column = User._meta.get_field(name)
    assert isinstance(column, Field)
    return column


class PreferencesForm(_UserForm, AppearanceForm):
    """All preferences, and who sees which part of the user's page. The service saves them."""

    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        required=False,
        help_text=_("Dates and times are shown in this time zone."),
    )
    country = forms.ChoiceField(label=_("Country"), required=False)
    spoken = forms.MultipleChoiceField(
        label=_("Languages you speak"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Up to five."),
    )

    class Meta:
        model = User
        fields = ("language", "mail_language", *SWITCHES)
        widgets = {"language": LanguageSelect, "mail_language": LanguageSelect}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        user = self.instance
        if not settings.MAIL_ARRIVES:
            del self.fields["mail_language"]
        for name, otherwise in (
            ("language", _("Same as my browser")),
            ("mail_language", _("Same as the site")),
        ):
            if name not in self.fields:
                continue
            own_names = [choice for choice in choices_of(self, name) if choice[0]]
            choice_field(self, name).choices = [("", otherwise), *own_names]
        as_browser = ("", _("Same as my browser"))
        zones = locale_names.zone_choices(also=user.time_zone)
        choice_field(self, "time_zone").choices = [as_browser, *zones]
        countries = locale_names.country_choices()
        choice_field(self, "country").choices = [("", _("Not given")), *countries]
        choice_field(self, "spoken").choices = locale_names.language_choices()
        for part in PAGE_PARTS:
            self.fields[f"shows_{part}"] = forms.ChoiceField(
                label=_LABELS.get(part) or _column(f"shows_{part}").verbose_name,
                choices=Audience.choices,
                required=False,
            )
        for name in ("theme", "motion", "time_zone", "country", "spoken", *_SHOWS):
            self.initial.setdefault(name, getattr(user, name))

    def clean_spoken(self) -> list[str]:
        spoken: list[str] = self.cleaned_data["spoken"]
        if len(spoken) > MOST_SPOKEN:
            raise forms.ValidationError(_("Choose up to five languages."))
        return spoken

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        # A part that the form leaves out keeps its audience: nothing is shown by mistake.
        for name in _SHOWS:
            if name not in self.errors:
                data[name] = data.get(name) or getattr(self.instance, name)
        return data

    # The groups in which the page shows the fields.
    @property
    def in_words(self) -> list[forms.BoundField]:
        names = ("language", "mail_language", "time_zone")
        return [self[name] for name in names if name in self.fields]

    @property
    def in_sight(self) -> list[forms.BoundField]:
        return [self["theme"], self["motion"]]

    @property
    def at_the_table(self) -> list[forms.BoundField]:
        return [self[name] for name in SWITCHES]

    @property
    def who_sees(self) -> list[forms.BoundField]:
        return [self[name] for name in _SHOWS]


if TYPE_CHECKING:
    _NoticeForm = forms.ModelForm[NoticeSettings]
else:
    _NoticeForm = forms.ModelForm


class NoticeForm(_NoticeForm):
    """How the user hears of turns at slow tables and of scheduled tables, and when not."""

    quiet_from = forms.TypedChoiceField(
        label=_("Quiet from"), required=False, coerce=int, empty_value=None
    )
    quiet_until = forms.TypedChoiceField(
        label=_("Quiet until"), required=False, coerce=int, empty_value=None
    )

    class Meta:
        model = NoticeSettings
        fields = (
            *(f"{about}_{way}" for about in _NOTICES for way in WAYS),
            *("quiet_from", "quiet_until"),
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not sends_mail():
            for name in _NOTICES:
                del self.fields[f"{name}_mail"]
        hours = [(hour, time_format(time(hour), "TIME_FORMAT")) for hour in range(24)]
        for name in ("quiet_from", "quiet_until"):
            choice_field(self, name).choices = [("", _("Never")), *hours]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if (data.get("quiet_from") is None) != (data.get("quiet_until") is None):
            raise forms.ValidationError(_("Quiet hours need a start and an end."))
        return data

    # The groups in which the page shows the fields.
    @property
    def at_daily_tables(self) -> list[forms.BoundField]:
        return self._ways_of("daily")

    @property
    def at_untimed_tables(self) -> list[forms.BoundField]:
        return self._ways_of("untimed")

    @property
    def about_dates(self) -> list[forms.BoundField]:
        return self._ways_of("scheduled")

    @property
    def in_quiet_hours(self) -> list[forms.BoundField]:
        return [self["quiet_from"], self["quiet_until"]]

    def _ways_of(self, about: str) -> list[forms.BoundField]:
        return [self[name] for way in WAYS if (name := f"{about}_{way}") in self.fields]


class NameForm(forms.Form):
    """The name under which a user appears at tables."""

    name = forms.CharField(
        label=_("Name"),
        max_length=User._meta.get_field("username").max_length,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
