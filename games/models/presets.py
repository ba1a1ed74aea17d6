"""Terms that somebody keeps, to open tables on them again."""

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
    """A person's own terms, under a name of their own. Whoever knows the token may look."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="presets")
    name = models.CharField(_("name"), max_length=40)
    # As `Terms.json` writes them. Never a password.
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
        """The terms; None where the site has no such tables any more."""
        return Terms.read(self.terms)
