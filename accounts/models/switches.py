"""The switches of the whole site."""

from django.db import models


class SwitchBoard(models.Model):
    """The one row of switches. Without it, their defaults apply and there is no message."""

    registration = models.BooleanField(default=True)
    tables = models.BooleanField(default=True)
    maintenance = models.BooleanField(default=False)
    # The message of the day, by language.
    message = models.JSONField(default=dict)
    changed_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"as of {self.changed_at}"
