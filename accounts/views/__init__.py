"""What is asked of accounts: the doors, one's preferences, what one is told."""

from accounts.views.doors import SignOut, language, too_many_tries
from accounts.views.notifications import bell, notifications, read
from accounts.views.preferences import preferences, switch

__all__ = [
    "SignOut",
    "bell",
    "language",
    "notifications",
    "preferences",
    "read",
    "switch",
    "too_many_tries",
]
