"""Games, each stored as its list of actions."""

from typing import Final

from django.db import models

from games.models.tables import Table


class Game(models.Model):
    """One playthrough. Its position is the fold of its actions over the sealed deal."""

    class Stopped(models.TextChoices):
        """Why a game has no winner.

        Either the server ended it before the rules did, or it does not count although the rules
        ended it.
        """

        # By a vote, because too many players had left.
        ABANDONED = "abandoned"
        # By its only person, or because no person moved for too long in a game without a clock.
        GIVEN_UP = "given_up"
        # By a moderator, possibly after the game has ended.
        VOIDED = "voided"

    table = models.OneToOneField(Table, models.CASCADE, related_name="game")
    players = models.PositiveSmallIntegerField()
    # The number of actions so far, which is also the number of the next action.
    length = models.PositiveIntegerField(default=0)
    # When a stand-in makes the current decision; null if there is no clock.
    deadline = models.DateTimeField(null=True, blank=True)
    # When a bot, or a stand-in for an absent player, moves.
    bot_moves_at = models.DateTimeField(null=True, blank=True)
    # When a bot says something, and what bots are going to say: see services/bot_talk.
    bot_talks_at = models.DateTimeField(null=True, blank=True)
    bot_talk = models.JSONField(default=list, blank=True)
    # When the game must act by itself: the earliest of the times above and `night_until`.
    wakes_at = models.DateTimeField(null=True, blank=True, db_index=True)
    # The game is not handed to a worker again before this time, because one has claimed it or
    # because it was postponed.
    retry_at = models.DateTimeField(null=True, blank=True)
    # Until then the first nomination waits for players to read their roles; null once it does not.
    # See services/night.
    night_until = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(auto_now_add=True)
    # Indexed because the lobby lists the games that ended most recently.
    ended_at = models.DateTimeField(null=True, blank=True, db_index=True)
    winner = models.CharField(max_length=8, blank=True)
    ending = models.CharField(max_length=20, blank=True)
    # Separate from `ending`, which names a rule. A stopped game is never rated.
    stopped = models.CharField(max_length=10, choices=Stopped, blank=True)

    def __str__(self) -> str:
        return f"game of {self.table_id}"


# Reasons whose games are left out of all lists and statistics of users' games.
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
    # The action as RECORD.md writes it.
    action = models.JSONField()
    by = models.CharField(max_length=6, choices=By)
    # A key from the submitted form. A second action with the same key is a repeat of the first.
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
    """An outage of the site for which a table's current decision got the lost time back."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="interruptions")
    # The number of actions before it: its place in the log.
    number = models.PositiveIntegerField()
    # When the site was available again.
    at = models.DateTimeField()
    lost = models.DurationField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.table_id}#{self.number} {self.lost}"
