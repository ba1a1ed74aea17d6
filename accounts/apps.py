from typing import Any

from django.apps import AppConfig
from django.contrib import messages
from django.contrib.auth.signals import user_logged_in
from django.utils.translation import gettext


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        user_logged_in.connect(_take_back, dispatch_uid="accounts.take_back")


def _take_back(sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
    """Whoever signs in does not want the account to go any more."""
    from accounts.services.departures import closing_cancel

    if closing_cancel(user=user) and hasattr(request, "_messages"):
        messages.success(request, gettext("Welcome back. Your account stays."))
