"""How balanced rules are, as measured with bots; counted once per mix and player count."""

from django.db import models


class Balance(models.Model):
    """Results of games that bots have played with one mix of options and one player count."""

    # Identifies the options and the player count; see services/balance.
    key = models.CharField(max_length=64, unique=True)
    # The values of all options, as JSON.
    options = models.JSONField()
    players = models.PositiveSmallIntegerField()
    # The games played so far by each kind of bot, and how many of them the liberals won.
    games = models.PositiveIntegerField(default=0)
    baseline_wins = models.PositiveIntegerField(default=0)
    skilled_wins = models.PositiveIntegerField(default=0)
    # When a user first asked about it.
    asked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.key[:8]} for {self.players}"
