"""The audit of staff and moderators: rows that are written once and chained by their digests."""

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models


class AuditEntry(models.Model):
    """One act. Triggers made by a migration keep the database from changing or deleting it.

    Users are stored as ids that need not exist any more: names of users who have left must not be
    kept here, and no row may change because a user leaves.
    """

    number = models.PositiveBigIntegerField(primary_key=True)
    at = models.DateTimeField(db_index=True)
    # Null for the site itself.
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        db_constraint=False,
        related_name="+",
    )
    # What was done, for example `impose_sanction`.
    act = models.CharField(max_length=40, db_index=True)
    about = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        db_constraint=False,
        related_name="+",
    )
    # The code of a table, or "".
    table = models.CharField(max_length=20, blank=True, db_index=True)
    data = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    # The digest of the row before; zeros in the first row.
    previous = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)

    class Meta:
        ordering = ["-number"]
        default_permissions = ()
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.number} {self.act}"


class AuditHead(models.Model):
    """The one row that says where the chain ends. Writers lock it before they add an entry."""

    number = models.PositiveBigIntegerField(default=0)
    digest = models.CharField(max_length=64, default="0" * 64)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.number} {self.digest}"
