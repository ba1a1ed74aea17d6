"""The second factor: whom the site asks for one, and how it looks here."""

from typing import Final

import segno
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AbstractBaseUser
from django.utils.translation import gettext as _

from accounts.models import User

_FACTORS: Final = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
# Rights within the app are for whoever moderates its tables, and nobody else has any; a role is
# a right of accounts (accounts.roles).
_MODERATING: Final = ("games.", "accounts.moderate")


def holds_office(user: User) -> bool:
    """Whether much would be lost with this account: staff, superusers and moderators."""
    if user.is_staff or user.is_superuser:
        return True
    return any(right.startswith(_MODERATING) for right in user.get_all_permissions())


def has_second_factor(user: User) -> bool:
    """A code or a key; codes for the day it is lost do not count."""
    return Authenticator.objects.filter(user=user, type__in=_FACTORS).exists()


class SecondFactorAdapter(DefaultMFAAdapter):
    def build_totp_svg(self, url: str) -> str:
        """Drawn into the page: a picture of its own would need `data:` in the page's policy."""
        return segno.make(url, error="m").svg_inline(
            omitsize=True, border=3, light="#fff", dark="#000"
        )

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:  # noqa: A002  allauth's name for it
        count = Authenticator.objects.filter(user=user, type=type).count()
        return _("Key %(number)s") % {"number": count + 1}
