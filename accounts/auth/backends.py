"""The backend of settings.AUTHENTICATION_BACKENDS."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend

from accounts.models import User
from config.db.compiled_queries import Compiled

_users = Compiled(lambda pk: User.objects.filter(pk=pk))


class AccountBackend(AuthenticationBackend):
    """allauth's sign-in by name or address. A compiled query loads the user of a session."""

    def get_user(self, user_id: Any) -> User | None:
        user = _users.find(user_id)
        return user if user is not None and self.user_can_authenticate(user) else None
