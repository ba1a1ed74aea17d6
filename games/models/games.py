"""Games, each as its list of actions."""

from typing import Final

from django.db import models

from games.models.tables import Table


class Game(models.Model):
    """One playthrough: the position is the fold of its actions over the sealed deal."""

    class Stopped(models.TextChoices):
        """Why the server ended a game that the rules did not end, or why one that they did end
        does not count: it has no winner."""

        # By a vote, since too many had left.
        ABANDONED = "abandoned"
        # By its only person.
        GIVEN_UP = "given_up"
        # By a moderator; also afterwards.
        VOIDED = "voided"

    table = models.OneToOneField(Table, models.CASCADE, related_name="game")
    players = models.PositiveSmallIntegerField()
    # The number of actions so far; the next one's number.
    length = models.PositiveIntegerField(default=0)
    # When the decision at hand is made by a stand-in; null where there is no clock.
    deadline = models.DateTimeField(null=True, blank=True)
    # When a bot, or a stand-in for somebody away, moves.
    bot_moves_at = models.DateTimeField(null=True, blank=True)
    # When something must happen by itself: the earlier of the two.
    wakes_at = models.DateTimeField(null=True, blank=True, db_index=True)
    # Not before this is the game handed to a worker again: claimed, or pushed back.
    retry_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(auto_now_add=True)
    # The lobby lists the games that ended last.
    ended_at = models.DateTimeField(null=True, blank=True, db_index=True)
    winner = models.CharField(max_length=8, blank=True)
    ending = models.CharField(max_length=20, blank=True)
    # Kept apart from `ending`, which names a rule. A stopped game is never rated.
    stopped = models.CharField(max_length=10, choices=Stopped, blank=True)

    def __str__(self) -> str:
        return f"game of {self.table_id}"


# Games that no list and no count of anybody's games has.
NOT_COUNTED: Final = (Game.Stopped.GIVEN_UP, Game.Stopped.VOIDED)


class GameAction(models.Model):
    """An accepted action. Never changed and never deleted."""

    class By(models.TextChoices):
        PLAYER = "player"
        CLOCK = "clock"
        BOT = "bot"

    game = models.ForeignKey(Game, models.CASCADE, related_name="actions")
    number = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    # As RECORD.md writes it.
    action = models.JSONField()
    by = models.CharField(max_length=6, choices=By)
    # From the form that asked; the same key is the same action.
    key = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001  null: unique when set
    at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="action_once_per_number"),
            models.UniqueConstraint(fields=["game", "seat", "key"], name="action_once_per_key"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}#{self.number}"


class Interruption(models.Model):
    """The site was away, and a table's running decision got the lost time back."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="interruptions")
    # The number of actions before it: its place in the log.
    number = models.PositiveIntegerField()
    # When the site was back.
    at = models.DateTimeField()
    lost = models.DurationField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.table_id}#{self.number} {self.lost}"
