from typing import Any

from allauth.account.signals import password_reset
from django.apps import AppConfig
from django.contrib import messages
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import post_migrate
from django.utils.translation import gettext


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        # This import registers the handlers for account deletion and data export.
        import accounts.services.sanctions  # noqa: F401

        user_logged_in.connect(_take_back, dispatch_uid="accounts.take_back")
        user_logged_in.connect(_note_signals, dispatch_uid="accounts.note_signals")
        # The code from the mail proves that this is the owner's browser (accounts/guesses.py).
        password_reset.connect(_note_signals, dispatch_uid="accounts.note_reset")
        # Connected for all apps, because the roles include permissions of other apps.
        post_migrate.connect(_make_groups, dispatch_uid="accounts.make_groups")


def _take_back(sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
    """Cancel a scheduled deletion of the account when its owner signs in."""
    from accounts.services.departures import closing_cancel

    if closing_cancel(user=user) and hasattr(request, "_messages"):
        messages.success(request, gettext("Welcome back. Your account stays."))


def _note_signals(sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
    from accounts.devices import note_sign_in

    note_sign_in(request, user)


def _make_groups(sender: Any, using: str, **kwargs: Any) -> None:
    from accounts.roles import make_groups

    # Each app sends this signal when it has migrated; after the last of ours all permissions exist.
    if sender.name in ("accounts", "games"):
        make_groups()
