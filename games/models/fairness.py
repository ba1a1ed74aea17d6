"""How the cards of all finished games compare with chance; counted ahead of time."""

from django.db import models


class FairnessReport(models.Model):
    """The newest counts. There is one row at most; `manage.py rebuild_fairness` replaces it."""

    made_at = models.DateTimeField()
    games = models.PositiveIntegerField()
    # As `games.services.fairness` writes it.
    counts = models.JSONField()

    def __str__(self) -> str:
        return f"{self.games} games at {self.made_at}"
