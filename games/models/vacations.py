"""Days on which a player's clock stands still at tables where a move may take a day."""

from django.conf import settings
from django.db import models


class Vacation(models.Model):
    """A user's vacation. When it ends early, `ends_at` becomes that moment."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="vacations")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()

    class Meta:
        ordering = ["-starts_at"]

    def __str__(self) -> str:
        return f"{self.user_id} until {self.ends_at}"
