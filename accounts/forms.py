"""What people post about themselves."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import NAME_LENGTH, User
from accounts.services.preferences import SWITCHES
from accounts.widgets import LanguageSelect


class PreferencesForm(forms.ModelForm):
    """The language, and what is on or off. The service writes it."""

    class Meta:
        model = User
        fields = ("language", "mail_language", *SWITCHES)
        widgets = {"language": LanguageSelect, "mail_language": LanguageSelect}

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        for name, otherwise in (
            ("language", _("As the browser asks for")),
            ("mail_language", _("As the site")),
        ):
            own_names = [choice for choice in self.fields[name].choices if choice[0]]
            self.fields[name].choices = [("", otherwise), *own_names]


class NameForm(forms.Form):
    """Somebody's name, as they read at tables."""

    name = forms.CharField(
        label=_("Name"),
        max_length=4 * NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
