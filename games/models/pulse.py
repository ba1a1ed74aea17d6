"""Signs of life of the site's own components."""

from django.db import models


class Pulse(models.Model):
    """When a component of the site was last known to be alive, one row per component."""

    class Of(models.IntegerChoices):
        CLOCK = 1
        DOORS = 2
        # When the current time without an outage began.
        OPENED = 3
        # The worker for tasks that can wait.
        WORKER = 4
        BEAT = 5

    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.pk} {self.at}"
