from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.auth.trials import guest_of, guest_signed_in
from accounts.mail.messages import build_mail, language_of, queue_mail
from accounts.models import User, name_key
from accounts.moderation.middleware import sign_out_banned
from accounts.moderation.sanctions import is_shut_out
from accounts.services.names import clean_name
from accounts.site.switches import switches
from accounts.throttling import waiting_times
from accounts.throttling.limits import too_many_requests_sentence
from accounts.throttling.password_guesses import begin_guess
from accounts.throttling.too_many_requests import note_wait
from config.http.client_address import client_address
from config.http.client_key import address_of


class AccountAdapter(DefaultAccountAdapter):
    """allauth's account adapter with this site's rules.

    A new account keeps the language that the visitor chose.
    """

    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": _(
            "That name, e-mail address or password isn’t right. Check them and try again."
        ),
        "username_password_mismatch": _(
            "That name, e-mail address or password isn’t right. Check them and try again."
        ),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        if shallow:
            cleaned: str = super().clean_username(username, shallow)
            return cleaned
        return clean_name(username)

    def get_login_stages(self) -> list[str]:
        confirm = "allauth.account.stages.EmailVerificationStage"
        ours = "accounts.auth.stages.ConfirmAddressStage"
        return [ours if stage == confirm else stage for stage in super().get_login_stages()]

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail in the account's language, or in the page's if no account has the address."""
        user = context.get("user") or self._user_of(email)
        said = {"email": email, **context}
        mail = build_mail(template_prefix, to=email, language=language_of(user), context=said)
        queue_mail(mail)

    def send_notification_mail(self, *args: Any, **kwargs: Any) -> None:
        # allauth would include the browser's name and IP address in every such mail.
        template, user = args[:2]
        context = (args[2] if len(args) > 2 else kwargs.get("context")) or {}
        email = kwargs.get("email") or EmailAddress.objects.get_primary_email(user)
        if email:
            self.send_mail(template, email, {**context, "user": user})

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return switches().registration

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign the user in, by whatever method.

        Suspended and banned users are redirected to the page that gives the reason. A guest goes on
        where the guest was let in.
        """
        if is_shut_out(user, timezone.now()):
            sign_out_banned(request, user)
            raise ImmediateHttpResponse(redirect("account_standing"))
        guest, names = guest_of(request), settings.SESSION_KEYS_OF_GUESTS
        kept = {name: request.session[name] for name in names if guest and name in request.session}
        super().login(request, user)
        request.session.update(kept)
        if guest is not None and guest != user:
            guest_signed_in.send_robust(sender=type(self), guest=guest, user=user)

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        return reverse("account_overview")

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account_overview")

    def _user_of(self, email: str) -> User | None:
        address = EmailAddress.objects.filter(email__iexact=email).select_related("user").first()
        return address.user if address else None

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        user.language = get_language() or ""
        # This hashes the password, so it comes before the transaction: SQLite has one write lock.
        super().save_user(request, user, form, commit=False)
        try:
            with transaction.atomic():
                if commit:
                    user.save()
            return user
        except IntegrityError:
            # Another request took the name after it was checked, for example a second click on the
            # button.
            form.add_error("username", self.validation_error("username_taken"))
            raise ImmediateHttpResponse(
                render(request, "account/signup.html", {"form": form})
            ) from None

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the client address that tries are counted by.

        Clients of a unix socket that send no address are all counted as 0.0.0.0.
        """
        return client_address(request) or "0.0.0.0"  # noqa: S104  no one listens there

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a try, for its address and for its name, before the password is checked.

        Raises ValidationError if there were too many.
        """
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            key = self._get_login_attempts_cache_key(request, **credentials)
            wait = waiting_times.wait_for(request, "login_failed", key)
            note_wait(request, wait)
            raise ValidationError(
                too_many_requests_sentence(wait), "too_many_login_attempts"
            ) from None
        try:
            self._guess = begin_guess(request, _name_in(credentials))
        except ValidationError:
            self._rollback_login_failed_rl_usage()
            raise

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        user: User | None = super().authenticate(request, **credentials)
        if user is not None:
            self._guess.take_back()
        return user

    def reauthenticate(self, user: User, password: str) -> bool:
        # allauth passes the e-mail address too, so it would hash a wrong password twice.
        known = self.authenticate(context.request, username=user.username, password=password)
        return known is not None and known.pk == user.pk

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        # allauth counts wrong passwords by name alone, so anyone who knows a name could lock its
        # owner out. Here each address has its own count for each name.
        return f"{name_key(_name_in(credentials))}:{address_of(request)}"

    def is_safe_url(self, url: str | None) -> bool:
        """Allow redirects to the request's own host only.

        allauth would follow `next` to any host that this site answers to.
        """
        request = context.request
        return url_has_allowed_host_and_scheme(
            url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
        )


def _name_in(credentials: dict[str, Any]) -> str:
    """Return the name or e-mail address that the user typed to sign in."""
    return credentials.get("username") or credentials.get("email") or ""
