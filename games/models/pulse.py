"""Signs of life of the site's own parts."""

from django.db import models


class Pulse(models.Model):
    """When a part of the site was last known to be there: a row for each."""

    class Of(models.IntegerChoices):
        CLOCK = 1
        DOORS = 2

    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.pk} {self.at}"
