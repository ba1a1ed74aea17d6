"""How rules are balanced, as far as bots can tell: counted once for each mix and size."""

from django.db import models


class Balance(models.Model):
    """Games that bots have played by one mix of options, with so many at the table."""

    # Names the options and the players: services/balance.
    key = models.CharField(max_length=64, unique=True)
    # As JSON values, all of them.
    options = models.JSONField()
    players = models.PositiveSmallIntegerField()
    # How many of so many games the liberals have won so far, by the kind of bot.
    games = models.PositiveIntegerField(default=0)
    uniform_wins = models.PositiveIntegerField(default=0)
    cautious_wins = models.PositiveIntegerField(default=0)
    # When a worker was last asked to count.
    asked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.key[:8]} for {self.players}"
