"""The connected users, as reported by each serving process."""

from django.conf import settings
from django.db import models

from games.models.tables import Table


class Presence(models.Model):
    """A user whom a process serves now, at a table or elsewhere on the site.

    A process writes and deletes its own rows, and refreshes them regularly. Rows that were not
    refreshed for long are no longer true: their process was killed.
    """

    # A new value for each start of a process.
    process = models.CharField(max_length=32)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="presences")
    # Null for the lobby.
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="presences")
    seen_at = models.DateTimeField(db_index=True)

    class Meta:
        indexes = [models.Index(fields=["process"])]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.table_id or 'the lobby'}"
