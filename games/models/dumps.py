"""Monthly dumps of finished public games, and who wants their name in them."""

from django.conf import settings
from django.db import models


class Dump(models.Model):
    """The public games that ended in one month, as gzipped JSON lines."""

    # Its first day.
    month = models.DateField(unique=True)
    # Incremented when a new file is begun, and when a name has to leave: a file that was begun
    # before is not published then.
    version = models.PositiveIntegerField(default=0)
    # The version whose parts are the file, and since when. Null while there is no file.
    shown = models.PositiveIntegerField(null=True, blank=True)
    made_at = models.DateTimeField(null=True, blank=True)
    # The games written so far, of so many.
    games = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["-month"]

    def __str__(self) -> str:
        return f"{self.month:%Y-%m}"


class DumpPart(models.Model):
    """A piece of a dump's file. In the database, because the worker that writes it and the web
    process that sends it share no disk."""

    dump = models.ForeignKey(Dump, models.CASCADE, related_name="parts")
    version = models.PositiveIntegerField()
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["dump", "version", "number"], name="dump_part_once")
        ]

    def __str__(self) -> str:
        return f"{self.dump_id}#{self.number}"


class DumpConsent(models.Model):
    """A user who allows their name in dumps. For all others it says "Player 1"."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="dump_consent"
    )
    given_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"consent of {self.user_id}"
