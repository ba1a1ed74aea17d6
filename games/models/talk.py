"""What is said at a table, and who hears it."""

from django.conf import settings
from django.db import models

from games.models.tables import Table


class Message(models.Model):
    """Something said. Its words are never changed; a moderator may take it away."""

    class Place(models.TextChoices):
        # The living speak here, and everybody who may see the table reads it.
        TABLE = "table"
        # The dead and the spectators, sealed until the game is over.
        GALLERY = "gallery"

    class Kind(models.TextChoices):
        TEXT = "text"
        PHRASE = "phrase"
        CLAIM = "claim"

    table = models.ForeignKey(Table, models.CASCADE, related_name="messages")
    # Of all that is said at this table, in both places: `Table.talk` when it was said. Gaps in it
    # would tell the living that the gallery talks, so no page ever shows it.
    number = models.PositiveIntegerField()
    # In its own place, from 1: by this it is named to browsers.
    nth = models.PositiveIntegerField()
    # `Table.talk` when it was last changed: at first `number`.
    revised = models.PositiveIntegerField()
    place = models.CharField(max_length=7, choices=Place)
    kind = models.CharField(max_length=6, choices=Kind)
    # Of the speaker then; null for spectators.
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    # Null for bots, and where the account is gone.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="messages"
    )
    # Of a spectator: `Guest.number`.
    guest = models.PositiveIntegerField(null=True, blank=True)
    # The speaker's then: a seat's, or a spectator's own.
    name = models.CharField(max_length=150)
    text = models.TextField(blank=True)
    # Of phrases and claims.
    data = models.JSONField(default=dict, blank=True)
    # Where the game stood: its actions so far, and the round; 0 before the game.
    length = models.PositiveIntegerField(default=0)
    round = models.PositiveIntegerField(default=0)
    at = models.DateTimeField()
    # From the form that asked; the same key of a person is the same message.
    key = models.CharField(max_length=64, blank=True)
    removed_at = models.DateTimeField(null=True, blank=True)
    removed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    removed_because = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="message_once_per_number"),
            models.UniqueConstraint(fields=["table", "place", "nth"], name="message_once_per_nth"),
        ]
        indexes = [models.Index(fields=["table", "revised"])]
        default_permissions = ("view",)
        permissions = [("remove_message", "Can remove what is said at tables")]

    def __str__(self) -> str:
        return f"{self.table_id}: {self.place} {self.nth}"


class Guest(models.Model):
    """A spectator who has gone up to the gallery, and so takes no seat in this game any more."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="guests")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    # From 1, in the order in which they came: their name at a blind table.
    number = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "user"], name="guest_once"),
            models.UniqueConstraint(fields=["table", "number"], name="guest_once_per_number"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} above {self.table_id}"


class Mute(models.Model):
    """Somebody does not want to hear somebody at this table."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="mutes")
    listener = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    speaker = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "listener", "speaker"], name="mute_once"),
        ]

    def __str__(self) -> str:
        return f"{self.listener_id} does not hear {self.speaker_id} at {self.table_id}"
