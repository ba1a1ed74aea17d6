"""Which users played a game to its end, and which did not."""

from django.conf import settings
from django.db import models

from games.models.games import Game


class Attendance(models.Model):
    """One user's part in a game that has ended, or in which the user was replaced.

    Only for games of several people: no one is let down where only bots wait.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="attendances")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="attendances")
    is_abandoned = models.BooleanField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "game"], name="attendance_once")]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.game_id}"
