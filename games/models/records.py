"""Records of games that were played elsewhere, which users upload to replay them here."""

import secrets
from typing import Final

from django.conf import settings
from django.db import models
from django.urls import reverse

_CODE_BYTES: Final = 16


def new_record_code() -> str:
    return secrets.token_urlsafe(_CODE_BYTES)


class UploadedRecord(models.Model):
    """A record in the format of RECORD.md, as its owner sent it. It was valid then."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="uploaded_records"
    )
    # Opens the record to everyone who has it, if the record is shared.
    code = models.CharField(max_length=22, unique=True, default=new_record_code)
    text = models.TextField()
    is_shared = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    # What the list says of it without reading the text.
    edition = models.CharField(max_length=10)
    players = models.PositiveSmallIntegerField()
    ending = models.CharField(max_length=20, blank=True)
    # As a page shows them.
    names = models.JSONField(default=list)
    has_seal = models.BooleanField(default=False)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.code

    def get_absolute_url(self) -> str:
        return reverse("games:uploaded_replay", args=[self.code])
