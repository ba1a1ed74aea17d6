"""The steps between a right password and a signed-in session."""

from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from django.conf import settings
from django.http import HttpResponse


class ConfirmAddressStage(EmailVerificationStage):
    """Asks for the code sent to the account's address, until the user has entered one once.

    The step is skipped if no mail is configured, and for accounts without an address, which are
    older than the mail configuration. Registering with an address that is already taken creates no
    user, but asks for a code like any other registration.
    """

    def handle(self) -> tuple[HttpResponse | None, bool]:
        user = self.login.user
        has_none = (
            user is not None
            and not user.email
            and not EmailAddress.objects.filter(user=user).exists()
        )
        if not settings.MAIL_IS_CONFIGURED or has_none:
            return None, True
        answer: tuple[HttpResponse | None, bool] = super().handle()
        return answer
