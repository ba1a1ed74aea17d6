"""What the players of scheduled tables are told about the date, and by which way they were told."""

from django.conf import settings
from django.db import models

from games.models.tables import Table


class AppointmentNotice(models.Model):
    """A user is told once about one revision of a table's date.

    The row is written with the notice on the site. A worker sends mails and pushes later.
    """

    class Kind(models.TextChoices):
        # Reminders.
        DAY = "day"
        SOON = "soon"
        # The ready check that opens the table.
        NOW = "now"
        # The host has set another date.
        MOVED = "moved"
        # The table does not take place, because of the host or because too few players came.
        CANCELLED = "cancelled"
        FAILED = "failed"
        # The user did not answer when the table met, and has lost the seat.
        MISSED = "missed"

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="appointment_notices"
    )
    table = models.ForeignKey(Table, models.CASCADE, related_name="appointment_notices")
    kind = models.CharField(max_length=9, choices=Kind)
    # `Table.schedule_sequence` and `Table.scheduled_at` when the notice was written.
    sequence = models.PositiveSmallIntegerField()
    scheduled_at = models.DateTimeField()
    made_at = models.DateTimeField()
    # When a mail or a push about it is of no more use.
    expires_at = models.DateTimeField(db_index=True)
    # When it was sent, or found to be unwanted this way.
    mailed_at = models.DateTimeField(null=True, blank=True)
    pushed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "table", "kind", "sequence"], name="appointment_notice_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.user_id} at {self.table_id}"
