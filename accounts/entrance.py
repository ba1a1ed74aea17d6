"""The forms at the door, where they differ from allauth's."""

from typing import Any

from allauth.account.forms import AddEmailForm, LoginForm, SignupForm
from allauth.account.forms import ResetPasswordForm as AllauthResetPasswordForm
from allauth.mfa import app_settings as mfa_settings
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from allauth.mfa.totp.internal.auth import TOTP
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django import forms
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.services.names import name_hold


class SignInForm(LoginForm):
    """A name or an address, and a password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"] = forms.CharField(
            label=_("Name or e-mail address"),
            max_length=254,
            widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
        )
        self.order_fields(["login", "password"])
        self.fields["password"].help_text = ""

    def user_credentials(self) -> dict[str, str]:
        # One or the other. allauth tries an address as a name too, and so looks at the password
        # of a known address twice and at an unknown one's once, which can be measured.
        login = self.cleaned_data["login"]
        kind = "email" if "@" in login else "username"
        return {kind: login, "password": self.cleaned_data["password"]}


class SignUpForm(SignupForm):
    """A name, an address where mail can reach it, and a password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name, email = self.fields["username"], self.fields["email"]
        name.label, name.help_text = _("Name"), _("3 to 20 letters or digits, in any script.")
        email.required = email.widget.is_required = settings.MAIL_IS_CONFIGURED
        email.label = _("E-mail address") if email.required else _("E-mail address (optional)")
        if settings.MAIL_IS_CONFIGURED:
            email.help_text = _("For a code that confirms it, and for a forgotten password.")

    def validate_unique_email(self, value: str) -> str:
        if settings.MAIL_IS_CONFIGURED:
            return super().validate_unique_email(value)
        # Nobody confirms an address here, so the same may stand in any number of accounts, and
        # registering tells nothing about the others.
        return value

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        if self.account_already_exists:
            # As long, and with the same end, as if there were an account now.
            User().set_password(self.cleaned_data["password1"])
            name_hold(self.cleaned_data["username"])
        return super().try_save(request)


class ResetPasswordForm(AllauthResetPasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("E-mail address")


class NewAddressForm(AddEmailForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("New e-mail address")


class _OnceMixin(BaseAuthenticateForm):
    """An app's code is good once (RFC 6238, 5.2).

    allauth remembers a code for one step of the app's clock, and with a tolerance takes it for
    several: whoever had read it over a shoulder could come in after its owner.
    """

    def clean_code(self) -> str:
        code = super().clean_code()
        factor = self.authenticator.wrap()
        if isinstance(factor, TOTP):
            # Its own note, so that it takes the code for a wrong one: of ours it would not know,
            # and would forget the tries before.
            steps = 2 * mfa_settings.TOTP_TOLERANCE + 1
            cache.touch(factor._get_used_cache_key(code), steps * mfa_settings.TOTP_PERIOD)
        return code


class CodeForm(_OnceMixin, AuthenticateForm):
    pass


class CodeAgainForm(_OnceMixin, ReauthenticateForm):
    pass


class _SoundMixin:
    """Takes what is no credential at all for a wrong one; the library breaks on some of it."""

    def full_clean(self) -> None:
        try:
            super().full_clean()  # type: ignore[misc]
        except (AttributeError, KeyError, IndexError, TypeError, ValueError, OverflowError):
            self.cleaned_data: dict[str, Any] = {}
            self.add_error("credential", get_mfa_adapter().validation_error("incorrect_code"))  # type: ignore[attr-defined]


class AddPasskeyForm(_SoundMixin, AddWebAuthnForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name of the key")
        self.fields["name"].max_length = 60
        self.fields["name"].widget.attrs["maxlength"] = "60"
        passwordless = self.fields["passwordless"]
        passwordless.label = _("Sign in with this key alone, without name and password")
        passwordless.help_text = _("The key then asks for its own PIN, your finger or your face.")
        passwordless.initial = True


class PasskeyForm(_SoundMixin, AuthenticateWebAuthnForm):
    pass


class PasskeySignInForm(_SoundMixin, LoginWebAuthnForm):
    pass


class PasskeyAgainForm(_SoundMixin, ReauthenticateWebAuthnForm):
    pass
