"""What accounts do when somebody signs in, and when the database has been migrated.

`AccountsConfig.ready` imports this module, and so connects the receivers.
"""

from typing import Any

from allauth.account.signals import password_reset
from django.contrib import messages
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import post_migrate
from django.dispatch import receiver
from django.utils.translation import gettext

from accounts.auth.devices import note_sign_in
from accounts.auth.roles import make_groups
from accounts.services.account_deletion import cancel_deletion


@receiver(user_logged_in, dispatch_uid="accounts.take_back")
def _take_back(sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
    """Cancel a scheduled deletion of the account when its owner signs in."""
    if cancel_deletion(user=user) and hasattr(request, "_messages"):
        messages.success(request, gettext("Welcome back! Your account won’t be deleted."))


# The code from the mail proves that this is the owner's browser
# (accounts/throttling/password_guesses.py).
@receiver((user_logged_in, password_reset), dispatch_uid="accounts.note_signals")
def _note_signals(sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
    note_sign_in(request, user)


# Connected for all apps, because the roles include permissions of other apps.
@receiver(post_migrate, dispatch_uid="accounts.make_groups")
def _make_groups(sender: Any, using: str, **kwargs: Any) -> None:
    # Each app sends this signal when it has migrated; after the last of ours all permissions exist.
    if sender.name in ("accounts", "games"):
        make_groups()
