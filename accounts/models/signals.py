"""Where accounts sign in from, as digests that can be compared but not read."""

import secrets

from django.conf import settings
from django.db import models


def new_secret() -> str:
    return secrets.token_hex(32)


class SignalKey(models.Model):
    """The secret with which the signals of some weeks are hashed. Deleting it deletes them."""

    secret = models.CharField(max_length=64, default=new_secret)
    begins_at = models.DateTimeField(unique=True)
    # When the next key begins, and when this one is deleted.
    ends_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.begins_at}"


class Signal(models.Model):
    """A sign-in of an account from a network or a browser. It is never more than a hint."""

    class Kind(models.TextChoices):
        ADDRESS = "address"
        DEVICE = "device"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="signals")
    key = models.ForeignKey(SignalKey, models.CASCADE, related_name="signals")
    kind = models.CharField(max_length=7, choices=Kind)
    digest = models.CharField(max_length=64)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["user", "key", "kind", "digest"], name="signal_once"),
        ]
        indexes = [models.Index(fields=["digest", "kind"], name="signal_shared")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.user_id}"
