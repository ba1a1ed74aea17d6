"""Users who look for a game: they take a seat at once, or are called when there is one."""

from django.conf import settings
from django.db import models

from games.models.tables import Pace, Table


class GameRequest(models.Model):
    """What game a user looks for, and for how long. Empty columns mean any."""

    class Mode(models.TextChoices):
        # The user is here, and has agreed to be seated without another question.
        SEAT = "seat"
        # The user may be anywhere. A call seats no one.
        CALL = "call"

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="game_request"
    )
    mode = models.CharField(max_length=4, choices=Mode)
    pace = models.CharField(max_length=8, choices=Pace, blank=True)
    # Codes of SPOKEN; one of them is enough.
    languages = models.JSONField(default=list, blank=True)
    # A key of SIZES.
    size = models.CharField(max_length=5, blank=True)
    since = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)
    # From when on bots may fill the table; null if the user has not agreed to bots.
    bots_at = models.DateTimeField(null=True, blank=True)
    # What the user's browser drew for the seal, as for a seat.
    contribution_hash = models.CharField(max_length=64, blank=True, default="")
    # The table at which the user has taken a seat, kept for a short time so that open pages lead
    # there; or the table to which the user was called last.
    table = models.ForeignKey(Table, models.SET_NULL, null=True, blank=True, related_name="+")
    found_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["since", "pk"]

    def __str__(self) -> str:
        return f"{self.user_id} since {self.since}"
