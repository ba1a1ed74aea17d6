"""Strings of Django and allauth that the site translates itself: its catalogs come first.

They are listed here so that `manage.py language update` finds them. Nothing imports this module.
"""

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

MONTHS = (
    *(_("January"), _("February"), _("March"), _("April"), _("May"), _("June")),
    *(_("July"), _("August"), _("September"), _("October"), _("November"), _("December")),
)
PASSWORDS = (
    _("Your password can’t be too similar to your other personal information."),
    ngettext_lazy(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
        "min_length",
    ),
    _("Your password can’t be a commonly used password."),
    _("Your password can’t be entirely numeric."),
    _("Password (again)"),
    _("New Password (again)"),
    _("Authenticator code"),
)
