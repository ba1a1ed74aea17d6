from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts import tries
from accounts.address import address_of
from accounts.doors import sign_out_shut
from accounts.limits import too_much_sentence
from accounts.mails import language_of, mail_of, mail_post
from accounts.models import User, name_key
from accounts.sanctions import is_shut_out
from accounts.services.names import name_clean
from accounts.switches import switches
from accounts.too_much import note_wait
from config.client import client_address


class AccountAdapter(DefaultAccountAdapter):
    """allauth's ways, with the language that a visitor chose kept in the new account."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": _("The name, e-mail address or password is wrong."),
        "username_password_mismatch": _("The name, e-mail address or password is wrong."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        if shallow:
            return super().clean_username(username, shallow)
        return name_clean(username)

    def get_login_stages(self) -> list[str]:
        confirm = "allauth.account.stages.EmailVerificationStage"
        ours = "accounts.stages.ConfirmAddressStage"
        return [ours if stage == confirm else stage for stage in super().get_login_stages()]

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """In the language of the account that it is about; to nobody's, in the page's."""
        user = context.get("user") or self._user_of(email)
        said = {"email": email, **context}
        mail = mail_of(template_prefix, to=email, language=language_of(user), context=said)
        mail_post(mail)

    def send_notification_mail(self, *args: Any, **kwargs: Any) -> None:
        # allauth would write the browser's name and address into each.
        template, user = args[:2]
        context = (args[2] if len(args) > 2 else kwargs.get("context")) or {}
        email = kwargs.get("email") or EmailAddress.objects.get_primary_email(user)
        if email:
            self.send_mail(template, email, {**context, "user": user})

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return switches().registration

    def login(self, request: HttpRequest, user: User) -> None:
        """Signs in, by whichever way somebody came; who is shut out reads why in its place."""
        if is_shut_out(user, timezone.now()):
            sign_out_shut(request, user)
            raise ImmediateHttpResponse(redirect("account_standing"))
        super().login(request, user)

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        return reverse("account_overview")

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account_overview")

    def _user_of(self, email: str) -> User | None:
        address = EmailAddress.objects.filter(email__iexact=email).select_related("user").first()
        return address.user if address else None

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        user.language = get_language() or ""
        try:
            with transaction.atomic():
                return super().save_user(request, user, form, commit)
        except IntegrityError:
            # Somebody took the name since it was checked: the page of a second click says so.
            form.add_error("username", self.validation_error("username_taken"))
            raise ImmediateHttpResponse(
                render(request, "account/signup.html", {"form": form})
            ) from None

    def get_client_ip(self, request: HttpRequest) -> str:
        """Whose tries are counted; a unix socket's visitors without an address are one."""
        return client_address(request) or "0.0.0.0"  # noqa: S104  nobody listens there

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Counts a try before the password is looked at. Raises ValidationError."""
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            key = self._get_login_attempts_cache_key(request, **credentials)
            wait = tries.wait_for(request, "login_failed", key)
            note_wait(request, wait)
            raise ValidationError(too_much_sentence(wait), "too_many_login_attempts") from None

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        # allauth counts a name's wrong passwords wherever they come from: whoever knows a name
        # would shut its owner out. So each address has its own count for each name.
        name = name_key(credentials.get("username") or credentials.get("email") or "")
        return f"{name}:{address_of(request)}"

    def is_safe_url(self, url: str | None) -> bool:
        """Only this very host: allauth would follow `next` to any host that we answer to."""
        request = context.request
        return url_has_allowed_host_and_scheme(
            url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
        )
