"""How the second factor looks on this site; accounts.auth.rights says who needs one."""

import segno
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AbstractBaseUser
from django.utils.translation import gettext as _


class SecondFactorAdapter(DefaultMFAAdapter):
    def build_totp_svg(self, url: str) -> str:
        """Return the QR code as inline SVG.

        A separate image would need `data:` in the page's Content-Security-Policy.
        """
        return segno.make(url, error="m").svg_inline(
            omitsize=True, border=3, light="#fff", dark="#000"
        )

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:  # noqa: A002  allauth's name for it
        count = Authenticator.objects.filter(user=user, type=type).count()
        return _("Key %(number)s") % {"number": count + 1}
