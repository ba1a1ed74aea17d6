"""Sign-in, registration and password forms, where they differ from allauth's."""

from typing import Any

from allauth.account.forms import AddEmailForm, ChangePasswordForm, LoginForm, SignupForm
from allauth.account.forms import ResetPasswordForm as AllauthResetPasswordForm
from allauth.core import context
from allauth.mfa import app_settings as mfa_settings
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from allauth.mfa.totp.internal.auth import TOTP
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django import forms
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.services.names import hold_name
from accounts.throttling.password_guesses import begin_guess
from config.http.bounds import BoundedDecoder


class SignInForm(LoginForm):
    """Asks for a name or e-mail address, and a password."""

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
        # Pass only one of the two. allauth tries an address as a name too, and so checks the
        # password twice for a known address but once for an unknown one, a difference that can be
        # measured.
        login = self.cleaned_data["login"]
        kind = "email" if "@" in login else "username"
        return {kind: login, "password": self.cleaned_data["password"]}


class SignUpForm(SignupForm):
    """Asks for a name, a password and an e-mail address, which is optional if no mail is sent."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name, email = self.fields["username"], self.fields["email"]
        name.label, name.help_text = _("Name"), _("3 to 20 letters or digits, in any script.")
        if not settings.MAIL_ARRIVES:
            # An address would be of no use.
            del self.fields["email"]
            return
        email.required = email.widget.is_required = settings.MAIL_IS_CONFIGURED
        email.label = _("E-mail address") if email.required else _("E-mail address (optional)")
        if settings.MAIL_IS_CONFIGURED:
            email.help_text = _(
                "We’ll send a code to confirm it. You also need it if you forget your password."
            )

    def validate_unique_email(self, value: str) -> str:
        if settings.MAIL_IS_CONFIGURED:
            unique: str = super().validate_unique_email(value)
            return unique
        # Addresses are not confirmed here, so any number of accounts may have the same one. Then
        # registering reveals nothing about other accounts.
        return value

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        if self.account_already_exists:
            # Take as long, and end in the same way, as if an account were created.
            User().set_password(self.cleaned_data["password1"])
            hold_name(self.cleaned_data["username"])
        saved: tuple[User | None, HttpResponse | None] = super().try_save(request)
        return saved


class ResetPasswordForm(AllauthResetPasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("E-mail address")


class NewPasswordForm(ChangePasswordForm):
    """Count the old password as a guess: someone may have found a browser that is signed in."""

    def clean_oldpassword(self) -> str:
        guess = begin_guess(context.request, self.user.username)
        password: str = super().clean_oldpassword()
        guess.take_back()
        return password


class NewAddressForm(AddEmailForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("New e-mail address")


class _SingleUseCodeMixin(BaseAuthenticateForm):
    """Accepts each code of an authenticator app only once (RFC 6238, 5.2).

    allauth remembers a used code for one step of the app's clock, but with a tolerance it accepts a
    code for several steps. Someone who read the code over a shoulder could then use it after its
    owner.
    """

    def clean_code(self) -> str:
        code: str = super().clean_code()
        factor = self.authenticator.wrap()
        if isinstance(factor, TOTP):
            # Extend allauth's own record, so that allauth rejects the code as a wrong one. It would
            # not know a record of ours, and would reset its count of earlier tries.
            steps = 2 * mfa_settings.TOTP_TOLERANCE + 1
            cache.touch(factor._get_used_cache_key(code), steps * mfa_settings.TOTP_PERIOD)
        return code


class CodeForm(_SingleUseCodeMixin, AuthenticateForm):
    pass


class CodeAgainForm(_SingleUseCodeMixin, ReauthenticateForm):
    pass


def _key_name(*, required: bool) -> forms.CharField:
    return forms.CharField(label=_("Key name"), max_length=60, required=required)


class _SoundMixin(forms.BaseForm):
    """Treats a malformed credential as a wrong one; the library crashes on some of them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The library's field parses JSON of any depth, both to read it and to show it again.
        self.fields["credential"] = forms.JSONField(
            widget=forms.HiddenInput, decoder=BoundedDecoder
        )

    def full_clean(self) -> None:
        try:
            super().full_clean()
        except (
            *(AttributeError, KeyError, IndexError, TypeError, ValueError, OverflowError),
            # The CBOR inside it may be nested as deep as it is long.
            RecursionError,
        ):
            self.cleaned_data = {}
            self.add_error("credential", get_mfa_adapter().validation_error("incorrect_code"))


class AddPasskeyForm(_SoundMixin, AddWebAuthnForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"] = _key_name(required=False)
        passwordless = self.fields["passwordless"]
        passwordless.label = _("Sign in with just this key, without name and password")
        passwordless.help_text = _("The key will ask for its PIN, your fingerprint or your face.")
        passwordless.initial = True


class EditPasskeyForm(EditWebAuthnForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"] = _key_name(required=True)


class PasskeyForm(_SoundMixin, AuthenticateWebAuthnForm):
    pass


class PasskeySignInForm(_SoundMixin, LoginWebAuthnForm):
    pass


class PasskeyAgainForm(_SoundMixin, ReauthenticateWebAuthnForm):
    pass
