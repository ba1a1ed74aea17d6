"""The puzzle of a day, and how users solved it."""

from django.conf import settings
from django.db import models

from games.models.tables import Table


class Puzzle(models.Model):
    """The game of a day's puzzle, in the format of `games.state.puzzles`."""

    day = models.DateField(primary_key=True)
    game = models.JSONField()
    # Where people played the game; null for a game between bots.
    table = models.ForeignKey(Table, models.SET_NULL, null=True, related_name="puzzles")

    def __str__(self) -> str:
        return str(self.day)


class PuzzleSolution(models.Model):
    """A user's answer to the puzzle of a day; there is one chance."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="puzzle_solutions"
    )
    day = models.DateField()
    # How much evidence the user had asked for: 1 to `games.state.puzzles.PARTS`.
    part = models.PositiveSmallIntegerField()
    # A role for each seat.
    answer = models.JSONField()
    points = models.PositiveSmallIntegerField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["-day"]
        constraints = [models.UniqueConstraint(fields=["user", "day"], name="puzzle_solved_once")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.day}"


class PuzzleConsent(models.Model):
    """A user who allows that games they finished become puzzles, without names."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="puzzle_consent"
    )
    given_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"consent of {self.user_id}"
