from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.utils.translation import get_language

from accounts.models import User, name_key


class AccountAdapter(DefaultAccountAdapter):
    """allauth's ways, with the language that a visitor chose kept in the new account."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        username = super().clean_username(username, shallow)
        if not shallow and User.objects.filter(name_key=name_key(username)).exists():
            raise self.validation_error("username_taken")
        return username

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        user.language = get_language() or ""
        return super().save_user(request, user, form, commit)
