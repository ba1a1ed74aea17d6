"""The site's statistics: sums over archived games, by month."""

from django.db import models


class SiteTally(models.Model):
    """Sums over the games of one month that have one value in common, such as an edition.

    Only games between people, without house rules. A row changes in the same transaction as the
    rows of the archive that it sums.
    """

    class Dimension(models.TextChoices):
        """What the games of a row have in common; `value` says which value."""

        ALL = "all"
        EDITION = "edition"
        SIZE = "size"
        ENDING = "ending"
        PACE = "pace"
        # The number of rounds.
        ROUNDS = "rounds"
        # These two sum the seats of people, not games.
        SEAT = "seat"
        ROLE = "role"

    # The first day of the month in which the games ended, in UTC.
    month = models.DateField()
    dimension = models.CharField(max_length=7, choices=Dimension)
    value = models.CharField(max_length=20, blank=True)
    # Games, or seats; and how many of them the liberals, or these seats, won.
    games = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    rounds = models.PositiveBigIntegerField(default=0)
    seconds = models.PositiveBigIntegerField(default=0)
    # As in `ArchivedSeat`; only for seats.
    sights = models.PositiveIntegerField(default=0)
    claims = models.PositiveIntegerField(default=0)
    lies = models.PositiveIntegerField(default=0)
    lies_caught = models.PositiveIntegerField(default=0)
    ballots = models.PositiveIntegerField(default=0)
    right_ballots = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["month", "dimension", "value"], name="site_tally_once")
        ]

    def __str__(self) -> str:
        return f"{self.month:%Y-%m} {self.dimension} {self.value}"


class TallyLedger(models.Model):
    """One row: writers of tallies lock it first."""

    version = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.version)
