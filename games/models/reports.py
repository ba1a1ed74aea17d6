"""What people report, gathered into cases for moderators."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models.tables import Table


class Reason(models.TextChoices):
    """What is wrong, as the reporter says."""

    ABUSE = "abuse", _("Abuse")
    CHEATING = "cheating", _("Cheating, or telling secrets outside the game")
    THROWING = "throwing", _("Throwing the game")
    STALLING = "stalling", _("Stalling")
    NAME = "name", pgettext_lazy("report", "Inappropriate name")
    SPAM = "spam", _("Spam")
    OTHER = "other", _("Something else")


class Case(models.Model):
    """All that is reported of one person in one game, until it is decided.

    What comes in after that makes a new case.
    """

    class Outcome(models.TextChoices):
        DISMISSED = "dismissed", pgettext_lazy("case", "Dismissed")
        ACTED = "acted", pgettext_lazy("case", "Acted upon")
        # The account has gone before anybody decided.
        LAPSED = "lapsed", pgettext_lazy("case", "Lapsed")

    # Null where a table as a whole is reported, and where the account is gone.
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="cases"
    )
    # Null where it was at no table.
    table = models.ForeignKey(Table, models.CASCADE, null=True, blank=True, related_name="cases")
    # The person's own, in which a decision is worded; a table's where there is no person.
    language = models.CharField(max_length=10)
    opened_at = models.DateTimeField()
    # Of the last report.
    newest_at = models.DateTimeField()
    reports_count = models.PositiveIntegerField(default=0)
    claimed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    claimed_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    # Null where that account is gone.
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    # For moderators.
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
        # Not about whom: the table may be blind.
        return f"case {self.pk}"

    @property
    def is_open(self) -> bool:
        return not self.outcome


class Report(models.Model):
    """What one person reports, with a copy of what there was to read."""

    class About(models.TextChoices):
        PERSON = "person"
        MESSAGE = "message"
        TABLE = "table"

    case = models.ForeignKey(Case, models.CASCADE, related_name="reports")
    # Null where that account is gone.
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="reports"
    )
    about = models.CharField(max_length=10, choices=About)
    # Tells what is reported from all else that may be: "seat:7:3:12".
    thing = models.CharField(max_length=80)
    reason = models.CharField(max_length=10, choices=Reason)
    words = models.TextField(max_length=1000, blank=True)
    # The reporter's.
    language = models.CharField(max_length=10)
    # As the reporter read it: a name, a seat's at a blind table, or the table's code.
    called = models.CharField(max_length=150)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    # Where the game stood: its actions so far, and the round; 0 before it and elsewhere.
    length = models.PositiveIntegerField(default=0)
    round = models.PositiveIntegerField(default=0)
    # The message and its neighbours, or what was said last, as games.copies writes it.
    copies = models.JSONField(default=list, blank=True)
    at = models.DateTimeField()
    # With its case.
    is_open = models.BooleanField(default=True)

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


class CaseStep(models.Model):
    """What moderators have done with a case, and whom it has made a party to it."""

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
    # To whom it was handed over.
    to = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "pk"]
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.kind} of case {self.case_id}"
