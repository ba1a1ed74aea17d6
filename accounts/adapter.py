from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.utils.translation import get_language

from accounts.models import User


class AccountAdapter(DefaultAccountAdapter):
    """allauth's ways, with the language that a visitor chose kept in the new account."""

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        user.language = get_language() or ""
        return super().save_user(request, user, form, commit)
