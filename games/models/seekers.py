"""Users who pressed "Play now" and wait for a game."""

from django.conf import settings
from django.db import models

from games.models.tables import Pace, Table


class Seeker(models.Model):
    """A user who is here and has agreed to be seated at once. Empty columns mean any.

    `edition` and `size` have the values of `TableFilters`. When the user takes a seat, at whatever
    table, the row keeps that table for a short time, so that open pages lead there.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="seeker")
    pace = models.CharField(max_length=8, choices=Pace)
    # Codes of SPOKEN; one of them is enough.
    languages = models.JSONField(default=list, blank=True)
    edition = models.CharField(max_length=12, blank=True)
    size = models.CharField(max_length=5, blank=True)
    since = models.DateTimeField(db_index=True)
    # When the row last changed. A service that seats the user checks that nothing has changed.
    changed_at = models.DateTimeField()
    # When to ask whether bots may fill the table.
    ask_at = models.DateTimeField()
    # Since when the user agrees to play with bots; null if they do not.
    bots_since = models.DateTimeField(null=True, blank=True)
    # What the user's browser drew for the seal, as for a seat.
    contribution_hash = models.CharField(max_length=64, blank=True, default="")
    # The table at which the user has taken a seat; null as long as they wait.
    table = models.ForeignKey(Table, models.CASCADE, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["since", "pk"]

    def __str__(self) -> str:
        return f"{self.user_id} since {self.since}"
