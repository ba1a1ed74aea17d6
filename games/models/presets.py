"""Presets: terms that a user keeps in order to open tables with them again."""

import secrets
from typing import Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.terms import Terms

_TOKEN_BYTES: Final = 9


def new_token() -> str:
    return secrets.token_urlsafe(_TOKEN_BYTES)


class Preset(models.Model):
    """A user's own terms, under a name the user gave. Anyone with the token may view them."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="presets")
    name = models.CharField(_("name"), max_length=40)
    # The terms as `Terms.json` writes them. Never contains a password.
    terms = models.JSONField()
    token = models.CharField(max_length=16, unique=True, default=new_token)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="preset_once_per_name")
        ]

    def __str__(self) -> str:
        return self.name

    def read(self) -> Terms | None:
        """Return the terms, or None if the site no longer offers such tables."""
        return Terms.read(self.terms)
