"""Games from a physical table that users are still entering."""

from django.conf import settings
from django.db import models
from django.urls import reverse

from games.models.records import new_record_code


class EnteredGame(models.Model):
    """The table and the steps so far, as `games.rules.entered` writes them. Only its owner's."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="entered_games"
    )
    code = models.CharField(max_length=22, unique=True, default=new_record_code)
    setup = models.JSONField()
    steps = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.code

    def get_absolute_url(self) -> str:
        return reverse("games:entered_game", args=[self.code])
