"""Second factors for the tests' users."""

import time

from allauth.mfa import app_settings
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value

from accounts.models import User

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def with_second_factor(user: User) -> User:
    """Give `user` an authenticator app, which every role requires, and return the user."""
    if not Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists():
        TOTP.activate(user, SECRET)
    return user


def code_now(secret: str = SECRET) -> str:
    """Return the code that the app shows now."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // app_settings.TOTP_PERIOD))
