"""What is asked of accounts: the doors, and what an account's owner does with it."""

from accounts.views.departure import close, export, export_file
from accounts.views.doors import SignOut, language, too_many_tries, with_mail
from accounts.views.own import name, overview
from accounts.views.sessions import sessions

__all__ = [
    "SignOut",
    "close",
    "export",
    "export_file",
    "language",
    "name",
    "overview",
    "sessions",
    "too_many_tries",
    "with_mail",
]
