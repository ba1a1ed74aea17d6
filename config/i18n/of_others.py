"""Strings of Django and allauth that the site translates itself: its catalogs come first.

They are listed here so that `manage.py language update` finds them. Nothing imports this module.
"""

from django.utils.translation import gettext_noop as _

MONTHS = (
    *(_("January"), _("February"), _("March"), _("April"), _("May"), _("June")),
    *(_("July"), _("August"), _("September"), _("October"), _("November"), _("December")),
)
PASSWORDS = (
    _("Password (again)"),
    _("New Password (again)"),
    _("Authenticator code"),
)
