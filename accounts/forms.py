"""Forms in which users set their preferences, profile and name."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts import places
from accounts.choices import MOST_SPOKEN, PAGE_PARTS, Audience, Motion, Theme
from accounts.models import User
from accounts.services.preferences import SWITCHES
from accounts.widgets import LanguageSelect

_AS_SYSTEM = pgettext_lazy("preference", "Same as my device")
_SHOWS = tuple(f"shows_{part}" for part in PAGE_PARTS)


class LookForm(forms.Form):
    """How the site looks, for users with and without an account."""

    theme = forms.ChoiceField(label=_("Theme"), required=False)
    motion = forms.ChoiceField(
        label=_("Motion"),
        required=False,
        help_text=_("The game never waits for an animation to finish."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["theme"].choices = [("", _AS_SYSTEM), *Theme.choices]
        self.fields["motion"].choices = [("", _AS_SYSTEM), *Motion.choices]


class PreferencesForm(forms.ModelForm, LookForm):
    """All preferences, and who sees which part of the user's page. The service saves them."""

    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        required=False,
        help_text=_("Dates and times are shown in this time zone."),
    )
    country = forms.ChoiceField(label=_("Country"), required=False)
    spoken = forms.MultipleChoiceField(
        label=_("Languages that you speak"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("At most five."),
    )

    class Meta:
        model = User
        fields = ("language", "mail_language", *SWITCHES)
        widgets = {"language": LanguageSelect, "mail_language": LanguageSelect}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields, user = self.fields, self.instance
        for name, otherwise in (
            ("language", _("Same as my browser")),
            ("mail_language", _("Same as the site")),
        ):
            own_names = [choice for choice in fields[name].choices if choice[0]]
            fields[name].choices = [("", otherwise), *own_names]
        as_browser = ("", pgettext_lazy("time zone", "Same as my browser"))
        fields["time_zone"].choices = [as_browser, *places.zone_choices(also=user.time_zone)]
        fields["country"].choices = [("", _("Not given")), *places.country_choices()]
        fields["spoken"].choices = places.language_choices()
        for part in PAGE_PARTS:
            fields[f"shows_{part}"] = forms.ChoiceField(
                label=User._meta.get_field(f"shows_{part}").verbose_name,
                choices=Audience.choices,
                required=False,
            )
        for name in ("theme", "motion", "time_zone", "country", "spoken", *_SHOWS):
            self.initial.setdefault(name, getattr(user, name))

    def clean_spoken(self) -> list[str]:
        spoken: list[str] = self.cleaned_data["spoken"]
        if len(spoken) > MOST_SPOKEN:
            raise forms.ValidationError(_("Choose five languages at most."))
        return spoken

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        # A part that the form leaves out keeps its audience: nothing is shown by mistake.
        for name in _SHOWS:
            if name not in self.errors:
                data[name] = data.get(name) or getattr(self.instance, name)
        return data

    # The groups in which the page shows the fields.
    @property
    def in_words(self) -> list[forms.BoundField]:
        return [self["language"], self["mail_language"], self["time_zone"]]

    @property
    def in_sight(self) -> list[forms.BoundField]:
        return [self["theme"], self["motion"]]

    @property
    def at_the_table(self) -> list[forms.BoundField]:
        return [self[name] for name in SWITCHES]

    @property
    def who_sees(self) -> list[forms.BoundField]:
        return [self[name] for name in _SHOWS]


class NameForm(forms.Form):
    """The name under which a user appears at tables."""

    name = forms.CharField(
        label=_("Name"),
        max_length=User._meta.get_field("username").max_length,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
