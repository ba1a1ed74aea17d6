"""Views of accounts: sign-in and sign-out, notifications, and the owner's own pages."""

from accounts.views.account import name, overview
from accounts.views.account_deletion import close, export, export_file
from accounts.views.appearance import look
from accounts.views.bots import bots
from accounts.views.notifications import bell, notifications, read
from accounts.views.preferences import preferences, switch
from accounts.views.sanctions import appeal, standing
from accounts.views.sanctions import read as standing_read
from accounts.views.sessions import sessions
from accounts.views.sign_in import (
    SignOut,
    for_the_signed_out,
    language,
    sign_in,
    too_many_tries,
    with_mail,
)
from accounts.views.trials import keep
from accounts.views.turns import push_device, stop_turn_mails, turns

__all__ = [
    "SignOut",
    "appeal",
    "bell",
    "bots",
    "close",
    "export",
    "export_file",
    "for_the_signed_out",
    "keep",
    "language",
    "look",
    "name",
    "notifications",
    "overview",
    "preferences",
    "push_device",
    "read",
    "sessions",
    "sign_in",
    "standing",
    "standing_read",
    "stop_turn_mails",
    "switch",
    "too_many_tries",
    "turns",
    "with_mail",
]
