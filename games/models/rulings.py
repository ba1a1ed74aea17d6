"""Moderators' rulings at a table: announced to everyone there, and kept."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models.tables import Table


class Ruling(models.Model):
    """One act of a moderator at a table. The table sees everything but `reason` and `by`."""

    class Kind(models.TextChoices):
        FREEZE = "freeze", _("Frozen")
        THAW = "thaw", _("Unfrozen")
        # Before the game.
        CLOSE = "close", pgettext_lazy("ruling", "Closed")
        # The game does not count, whether it was over or not.
        VOID = "void", _("Voided")
        REPLACE = "replace", _("Seat replaced")

    class Because(models.TextChoices):
        """The reason that everyone at the table reads."""

        CONDUCT = "conduct", _("Conduct at the table")
        FAIRNESS = "fairness", _("Fair play")
        STALLING = "stalling", _("The game was held up")
        REPORT = "report", _("We’re looking into a report")
        FAULT = "fault", _("A problem with the site")
        WISH = "wish", _("The players asked for it")
        OTHER = "other", _("Another reason")

    table = models.ForeignKey(Table, models.CASCADE, related_name="rulings")
    # The ruling's number at this table, from 1; `Table.ruled` has the newest one's.
    ordinal = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=7, choices=Kind)
    because = models.CharField(max_length=8, choices=Because)
    # Read by moderators only.
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="rulings"
    )
    at = models.DateTimeField()
    # The number of actions before it: its place in the log. Null before the game.
    number = models.PositiveIntegerField(null=True, blank=True)
    # Only for `replace`: the seat, its old player and its new one (null for a bot), with their
    # names at the table.
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    gone = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    gone_name = models.CharField(max_length=150, blank=True)
    newcomer = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    newcomer_name = models.CharField(max_length=150, blank=True)
    is_bot = models.BooleanField(default=False)

    class Meta:
        ordering = ["ordinal"]
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(fields=["table", "ordinal"], name="ruling_once_per_ordinal")
        ]

    def __str__(self) -> str:
        return f"{self.table_id}#{self.ordinal} {self.kind}"
