from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language

from accounts.models import User, name_key
from config.client import client_address


class AccountAdapter(DefaultAccountAdapter):
    """allauth's ways, with the language that a visitor chose kept in the new account."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        username = super().clean_username(username, shallow)
        if not shallow and User.objects.filter(name_key=name_key(username)).exists():
            raise self.validation_error("username_taken")
        return username

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        user.language = get_language() or ""
        try:
            with transaction.atomic():
                return super().save_user(request, user, form, commit)
        except IntegrityError:
            # Somebody took the name since it was checked: the page of a second click says so.
            form.add_error("username", self.validation_error("username_taken"))
            raise ImmediateHttpResponse(
                render(request, "account/signup.html", {"form": form})
            ) from None

    def get_client_ip(self, request: HttpRequest) -> str:
        """Whose tries are counted; a unix socket's visitors without an address are one."""
        return client_address(request) or "unknown"

    def is_safe_url(self, url: str | None) -> bool:
        """Only this very host: allauth would follow `next` to any host that we answer to."""
        request = context.request
        return url_has_allowed_host_and_scheme(
            url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
        )
