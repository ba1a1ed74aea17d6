"""A user's private notes at a table."""

from django.conf import settings
from django.db import models

from games.models.tables import Table


class Suspicion(models.TextChoices):
    """What a user takes a seat to be."""

    LIBERAL = "liberal"
    FASCIST = "fascist"
    HITLER = "hitler"
    UNSURE = "unsure"


class Note(models.Model):
    """One user's notes about one table. Only this user can read them: no moderator, no admin."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="notes")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notes")
    text = models.TextField(blank=True)
    # A Suspicion by seat number, with JSON's string keys: {"3": "fascist"}.
    marks = models.JSONField(default=dict, blank=True)
    # Incremented with every change, so that two windows notice each other's changes.
    version = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "user"], name="note_once")]

    def __str__(self) -> str:
        return f"notes of {self.user_id} at {self.table_id}"
