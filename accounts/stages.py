"""What stands between a right password and being signed in."""

from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from django.conf import settings
from django.http import HttpResponse


class ConfirmAddressStage(EmailVerificationStage):
    """Asks for the code that was sent to the account's address, until it was typed once.

    Nobody is asked where no mail is configured; nor who has no address, whose account is older
    than the mail. Who registers with an address that is somebody's has no user here, and is
    asked as everybody is.
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
        return super().handle()
