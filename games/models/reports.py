"""Users' reports, collected in cases for moderators."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models.tables import Table

# The beginning of the `thing` of a report about an account, apart from any table.
BY_NAME: Final = "person:"


class Reason(models.TextChoices):
    """What is wrong, according to the reporter."""

    ABUSE = "abuse", _("Abuse")
    CHEATING = "cheating", _("Cheating, or telling secrets outside the game")
    THROWING = "throwing", _("Throwing the game")
    STALLING = "stalling", _("Stalling")
    NAME = "name", pgettext_lazy("report", "Inappropriate name")
    SPAM = "spam", _("Spam")
    OTHER = "other", _("Something else")


class Case(models.Model):
    """All reports about one user in one game, until the case is decided.

    Later reports open a new case.
    """

    class Outcome(models.TextChoices):
        DISMISSED = "dismissed", pgettext_lazy("case", "Dismissed")
        ACTED = "acted", pgettext_lazy("case", "Acted upon")
        # The account was deleted before a moderator decided.
        LAPSED = "lapsed", pgettext_lazy("case", "Lapsed")

    # Null if a whole table is reported, and if the account was deleted.
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="cases"
    )
    # Null if it did not happen at a table.
    table = models.ForeignKey(Table, models.CASCADE, null=True, blank=True, related_name="cases")
    # The reported user's language, in which a decision is written; the table's if there is no user.
    language = models.CharField(max_length=10)
    opened_at = models.DateTimeField()
    # The time of the last report.
    newest_at = models.DateTimeField()
    reports_count = models.PositiveIntegerField(default=0)
    claimed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    claimed_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    # Null if that account was deleted.
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    # Read by moderators only.
    remark = models.TextField(max_length=1000, blank=True)

    class Meta:
        ordering = ["opened_at", "pk"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["person", "table"], condition=Q(outcome=""), name="case_once"
            ),
            models.UniqueConstraint(
                fields=["person"],
                condition=Q(outcome="", table__isnull=True),
                name="case_once_without_table",
            ),
            models.UniqueConstraint(
                fields=["table"],
                condition=Q(outcome="", person__isnull=True),
                name="case_once_of_table",
            ),
        ]
        indexes = [
            models.Index(fields=["outcome", "opened_at"]),
            models.Index(fields=["person", "-opened_at"]),
        ]

    def __str__(self) -> str:
        # Without the reported user's name, because the table may be blind.
        return f"case {self.pk}"

    @property
    def is_open(self) -> bool:
        return not self.outcome


class ReportQuerySet(models.QuerySet["Report"]):
    def shown_to(self, reporter_pk: int) -> "ReportQuerySet":
        """Return the reports that this person may read again.

        Reports by name are left out. The site keeps only those about accounts that exist, so a
        list of them would reveal which names are registered.
        """
        return self.filter(reporter=reporter_pk).exclude(thing__startswith=BY_NAME)


class Report(models.Model):
    """One user's report, with a copy of what there was to read."""

    class About(models.TextChoices):
        PERSON = "person"
        MESSAGE = "message"
        TABLE = "table"

    case = models.ForeignKey(Case, models.CASCADE, related_name="reports")
    # Null if that account was deleted.
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="reports"
    )
    about = models.CharField(max_length=10, choices=About)
    # Identifies what is reported among all that can be: "seat:7:3:12".
    thing = models.CharField(max_length=80)
    reason = models.CharField(max_length=10, choices=Reason)
    words = models.TextField(max_length=1000, blank=True)
    # The reporter's language.
    language = models.CharField(max_length=10)
    # The name as the reporter read it: a user's, a seat's at a blind table, or the table's code.
    called = models.CharField(max_length=150)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    # The state of the game then: the number of actions so far, and the round; 0 before a game and
    # outside tables.
    length = models.PositiveIntegerField(default=0)
    round = models.PositiveIntegerField(default=0)
    # The message and its neighbours, or the latest messages, as games.moderation.excerpts writes
    # them.
    copies = models.JSONField(default=list, blank=True)
    at = models.DateTimeField()
    # Open as long as its case is.
    is_open = models.BooleanField(default=True)

    objects = ReportQuerySet.as_manager()

    class Meta:
        ordering = ["at", "pk"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["reporter", "thing"],
                condition=Q(is_open=True),
                name="report_once_per_thing",
            )
        ]
        indexes = [
            models.Index(fields=["case", "reason"]),
            models.Index(fields=["reporter", "-at"]),
        ]

    def __str__(self) -> str:
        return f"report {self.pk}"

    @property
    def is_by_name(self) -> bool:
        return self.thing.startswith(BY_NAME)


class CaseStep(models.Model):
    """A moderator's action on a case. It makes the moderators it names parties to the case."""

    class Kind(models.TextChoices):
        CLAIM = "claim"
        RELEASE = "release"
        HAND_OVER = "hand_over"
        DECIDE = "decide"

    case = models.ForeignKey(Case, models.CASCADE, related_name="steps")
    kind = models.CharField(max_length=10, choices=Kind)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="case_steps"
    )
    # The moderator who received the case; only for `hand_over`.
    to = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "pk"]
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.kind} of case {self.case_id}"
