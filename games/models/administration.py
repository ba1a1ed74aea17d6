"""A table's own affairs: removed users, the waiting list for seats, and motions."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.tables import Table


class Kick(models.Model):
    """A user whom the host removed before the game began, and who may not sit down there again."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="kicks")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="kicks")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "user"], name="kicked_once")]

    def __str__(self) -> str:
        return f"{self.user_id} from {self.table_id}"


class Substitute(models.Model):
    """A user on the waiting list of a running table, in order of arrival."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="substitutes")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="waits")
    name = models.CharField(max_length=150)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["table", "user"], name="waits_once")]

    def __str__(self) -> str:
        return f"{self.name} for {self.table_id}"


class Motion(models.Model):
    """A motion at a running table, open or settled. The players who are present vote openly.

    `Table.asked_until` says until when an open motion may be voted on.
    """

    class Kind(models.TextChoices):
        # A substitute from the waiting list takes the seat of an absent player.
        REPLACE = "replace"
        # The game ends without a winner.
        STOP = "stop"

    class Outcome(models.TextChoices):
        PASSED = "passed"
        REJECTED = "rejected"
        # The reason for the motion ceased to exist.
        LAPSED = "lapsed"

    table = models.ForeignKey(Table, models.CASCADE, related_name="motions")
    # The motion's number at this table, from 1.
    ordinal = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=8, choices=Kind)
    # Seat numbers: the mover's, and for `replace` the absent player's.
    mover = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    # Only for `replace`: the substitute, and the names of both players at the table.
    substitute = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    gone_name = models.CharField(max_length=150, blank=True)
    substitute_name = models.CharField(max_length=150, blank=True)
    # Votes by seat, with JSON's string keys: {"3": true}.
    votes = models.JSONField(default=dict)
    moved_at = models.DateTimeField()
    outcome = models.CharField(max_length=8, choices=Outcome, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    # The number of actions before it was settled: its place in the log.
    number = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["ordinal"]
        constraints = [
            models.UniqueConstraint(fields=["table", "ordinal"], name="motion_once_per_ordinal"),
            models.UniqueConstraint(
                fields=["table"], condition=Q(outcome=""), name="motion_one_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}#{self.ordinal} {self.kind}"

    @property
    def is_open(self) -> bool:
        return not self.outcome
