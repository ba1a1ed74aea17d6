"""Views of accounts: sign-in and sign-out, notifications, and the owner's own pages."""

from accounts.views.departure import close, export, export_file
from accounts.views.doors import (
    SignOut,
    for_the_signed_out,
    language,
    too_many_tries,
    with_mail,
)
from accounts.views.look import look
from accounts.views.notifications import bell, notifications, read
from accounts.views.own import name, overview
from accounts.views.preferences import preferences, switch
from accounts.views.sessions import sessions
from accounts.views.standing import appeal, standing
from accounts.views.standing import read as standing_read

__all__ = [
    "SignOut",
    "appeal",
    "bell",
    "close",
    "export",
    "export_file",
    "for_the_signed_out",
    "language",
    "look",
    "name",
    "notifications",
    "overview",
    "preferences",
    "read",
    "sessions",
    "standing",
    "standing_read",
    "switch",
    "too_many_tries",
    "with_mail",
]
