"""What users wait for: a table like this, until some time."""

from django.conf import settings
from django.db import models

from games.models.tables import Table


class Wish(models.Model):
    """A user wants to be called when a public table opens. Empty columns mean any.

    The columns have the values of `TableFilters`.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="wish")
    edition = models.CharField(max_length=12, blank=True)
    size = models.CharField(max_length=5, blank=True)
    pace = models.CharField(max_length=8, blank=True)
    language = models.CharField(max_length=12, blank=True)
    until = models.DateTimeField(db_index=True)
    made_at = models.DateTimeField()
    # The table to which the user was called last.
    table = models.ForeignKey(
        Table, models.SET_NULL, null=True, blank=True, related_name="called_by_wish"
    )
    called_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["made_at", "pk"]

    def __str__(self) -> str:
        return f"{self.user_id} until {self.until}"
