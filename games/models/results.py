"""How a game ended for each person in it: what statistics are counted from."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.games import Game
from games.rules.components import Role


class _ResultQuerySet(models.QuerySet["Result"]):
    def counted(self) -> "_ResultQuerySet":
        """Of games that the rules ended: neither stopped nor voided, now or afterwards."""
        return self.filter(game__stopped="")

    def among_people(self) -> "_ResultQuerySet":
        """Of games that people played with each other: bots are no company."""
        return self.filter(people__gt=1)


class Result(models.Model):
    """One person's role and fortune in a game that the rules have ended.

    Roles follow from the seal; they are written down, at the end, so that the database can
    count. Whose account goes leaves no row: the game stays in the record.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="results")
    # The index below serves it.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="results", db_index=False
    )
    role = models.CharField(max_length=7, choices=[(role.value, role.value) for role in Role])
    has_won = models.BooleanField()
    # How many sat there who were no bots, this one included.
    people = models.PositiveSmallIntegerField()

    objects = _ResultQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "user"], name="result_once"),
            models.CheckConstraint(condition=Q(people__gte=1), name="result_of_a_person"),
        ]
        indexes = [
            # The newest first.
            models.Index(fields=["user", "-id"], name="result_by_user"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.game_id}"
