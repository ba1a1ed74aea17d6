"""What a table decides about itself: who may not sit there, who waits for a seat, and motions."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.tables import Table


class Kick(models.Model):
    """The host has removed somebody before the game began: they do not sit down there again."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="kicks")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="kicks")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "user"], name="kicked_once")]

    def __str__(self) -> str:
        return f"{self.user_id} from {self.table_id}"


class Substitute(models.Model):
    """Somebody on the waiting list of a running table, in the order in which they came."""

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
    """What a running table is asked, or was: the people who are there vote openly.

    Until when it may be voted on is `Table.asked_until`.
    """

    class Kind(models.TextChoices):
        # Somebody from the waiting list takes the seat of somebody away.
        REPLACE = "replace"
        # The game ends without a winner.
        STOP = "stop"

    class Outcome(models.TextChoices):
        PASSED = "passed"
        REJECTED = "rejected"
        # What it was about came to an end by itself.
        LAPSED = "lapsed"

    table = models.ForeignKey(Table, models.CASCADE, related_name="motions")
    # From 1 at this table.
    ordinal = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=8, choices=Kind)
    # Seats.
    mover = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    # Whom it is about, and as they are called at the table; of `replace`.
    substitute = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    gone_name = models.CharField(max_length=150, blank=True)
    substitute_name = models.CharField(max_length=150, blank=True)
    # By seat, as JSON has it: {"3": true}.
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
