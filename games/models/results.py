"""Each user's result of a game, from which statistics are counted."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.games import Game
from games.rules.components import Role


class _ResultQuerySet(models.QuerySet["Result"]):
    def counted(self) -> "_ResultQuerySet":
        """Return the results of games that the rules ended and that were not voided later."""
        return self.filter(game__stopped="")

    def among_people(self) -> "_ResultQuerySet":
        """Return the results of games with at least two people; bots do not count as people."""
        return self.filter(people__gt=1)


class Result(models.Model):
    """One user's role and result in a game that the rules ended.

    Roles follow from the seal; they are stored at the end so that the database can count them. When
    an account is deleted, its rows go too; the game stays in the record.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="results")
    # The index below covers this column.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="results", db_index=False
    )
    role = models.CharField(max_length=7, choices=[(role.value, role.value) for role in Role])
    has_won = models.BooleanField()
    # The number of people (not bots) in the game, including this user.
    people = models.PositiveSmallIntegerField()

    objects = _ResultQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "user"], name="result_once"),
            models.CheckConstraint(condition=Q(people__gte=1), name="result_of_a_person"),
        ]
        indexes = [
            # Newest first.
            models.Index(fields=["user", "-id"], name="result_by_user"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.game_id}"
