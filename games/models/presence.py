"""Who is connected, as each process that serves people says of its own."""

from django.conf import settings
from django.db import models

from games.models.tables import Table


class Presence(models.Model):
    """Somebody whom a process serves now: at a table, or elsewhere on the site.

    A process writes and forgets its own rows, and says every while that they are still true;
    what it has not said for long is not true any more: it was killed.
    """

    # Another for each start of a process.
    process = models.CharField(max_length=32)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="presences")
    # None: the lobby.
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="presences")
    seen_at = models.DateTimeField(db_index=True)

    class Meta:
        indexes = [models.Index(fields=["process"])]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.table_id or 'the lobby'}"
