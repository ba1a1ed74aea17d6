"""What a person notes down for themselves at a table."""

from django.conf import settings
from django.db import models

from games.models.tables import Table


class Suspicion(models.TextChoices):
    """What somebody takes a seat for."""

    LIBERAL = "liberal"
    FASCIST = "fascist"
    HITLER = "hitler"
    UNSURE = "unsure"


class Note(models.Model):
    """One person's notes of one table. Nobody else ever reads them: no moderator, no admin."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="notes")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notes")
    text = models.TextField(blank=True)
    # A Suspicion by the seat's number, as JSON has it: {"3": "fascist"}.
    marks = models.JSONField(default=dict, blank=True)
    # Grows with every change, so that two windows find out about each other.
    version = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "user"], name="note_once")]

    def __str__(self) -> str:
        return f"notes of {self.user_id} at {self.table_id}"
