from typing import Any

from django.apps import AppConfig
from django.contrib import messages
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import post_migrate
from django.utils.translation import gettext


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        # They say what an account's departure and export have to know of them.
        import accounts.services.sanctions  # noqa: F401

        user_logged_in.connect(_take_back, dispatch_uid="accounts.take_back")
        user_logged_in.connect(_note_signals, dispatch_uid="accounts.note_signals")
        # Not of this app alone: some rights of the roles are other apps'.
        post_migrate.connect(_make_groups, dispatch_uid="accounts.make_groups")


def _take_back(sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
    """Whoever signs in does not want the account to go any more."""
    from accounts.services.departures import closing_cancel

    if closing_cancel(user=user) and hasattr(request, "_messages"):
        messages.success(request, gettext("Welcome back. Your account stays."))


def _note_signals(sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
    from accounts.devices import note_sign_in

    note_sign_in(request, user)


def _make_groups(sender: Any, using: str, **kwargs: Any) -> None:
    from accounts.roles import make_groups

    # Each app says that it has migrated; the last of ours knows all the rights.
    if sender.name in ("accounts", "games"):
        make_groups()
