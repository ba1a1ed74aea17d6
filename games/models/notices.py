"""Turns at slow tables of which their players have yet to be told by mail and push."""

from django.conf import settings
from django.db import models

from games.models.tables import Table


class TurnNotice(models.Model):
    """It is the user's turn at this table. Deleted when the turn is over."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="turn_notices")
    table = models.ForeignKey(Table, models.CASCADE, related_name="turn_notices")
    since = models.DateTimeField()
    # When it was sent, or found to be unwanted this way.
    mailed_at = models.DateTimeField(null=True, blank=True)
    pushed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "table"], name="turn_notice_once")]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.table_id}"
