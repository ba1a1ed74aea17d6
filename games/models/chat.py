"""The messages at a table, and who can read them."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from accounts.services.signals import accounts_at_addresses_of, accounts_of_same_people
from games.models.tables import Table


class Message(models.Model):
    """A chat message. Its text never changes; a moderator may remove it."""

    class Place(models.TextChoices):
        # The living speak here; everyone who may see the table can read it.
        TABLE = "table"
        # For the dead and the spectators; hidden from all others until the game is over.
        GALLERY = "gallery"

    class Kind(models.TextChoices):
        TEXT = "text"
        PHRASE = "phrase"
        CLAIM = "claim"

    table = models.ForeignKey(Table, models.CASCADE, related_name="messages")
    # The number among all messages of this table, in both places: `Table.talk` when it was sent.
    # Gaps would reveal to the living that the gallery talks, so no page ever shows it.
    number = models.PositiveIntegerField()
    # The number within its place, from 1, by which browsers know it.
    nth = models.PositiveIntegerField()
    # `Table.talk` when it was last changed; at first the same as `number`.
    revised = models.PositiveIntegerField()
    place = models.CharField(max_length=7, choices=Place)
    kind = models.CharField(max_length=6, choices=Kind)
    # The speaker's seat at that time; null for spectators.
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    # Null for bots, and if the account was deleted.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="messages"
    )
    # Only for spectators: `Guest.number`.
    guest = models.PositiveIntegerField(null=True, blank=True)
    # The speaker's name at that time: the seat's, or the spectator's own.
    name = models.CharField(max_length=150)
    text = models.TextField(blank=True)
    # Only for phrases and claims. Those of bots have a character and a line of `wording.voices`.
    data = models.JSONField(default=dict, blank=True)
    # The state of the game then: the number of actions so far, and the round; 0 before the game.
    length = models.PositiveIntegerField(default=0)
    round = models.PositiveIntegerField(default=0)
    at = models.DateTimeField()
    # A key from the submitted form. A user's second message with the same key is a repeat.
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


class _GuestQuerySet(models.QuerySet["Guest"]):
    def hearing(self, table: Table) -> "_GuestQuerySet":
        """Return the guests of a table who hear its gallery.

        While the game runs, no one at a blind table, and elsewhere no account that is younger than
        the game, shares an address with a player, or is another account of a person who has had a
        seat: the site may have learned of the browser or the address after they went up.
        """
        guests = self.filter(table=table)
        if table.stage != Table.Stage.RUNNING:
            return guests
        if table.is_blind:
            return guests.none()
        players = table.seats.exclude(user=None).values("user")
        sat = accounts_of_same_people(table.sat.values_list("user", flat=True))
        return guests.filter(user__date_joined__lt=F("table__game__started_at")).exclude(
            Q(user__in=set().union(*sat.values())) | Q(user__in=accounts_at_addresses_of(players))
        )


class Guest(models.Model):
    """A spectator who has gone to the gallery, and therefore may not take a seat in this game."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="guests")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    # From 1, in order of arrival. At a blind table, the guest's name is made from it.
    number = models.PositiveIntegerField()
    at = models.DateTimeField()

    objects = _GuestQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "user"], name="guest_once"),
            models.UniqueConstraint(fields=["table", "number"], name="guest_once_per_number"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} above {self.table_id}"


class Mute(models.Model):
    """A user's wish not to read another user's messages, or a bot's, at this table."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="mutes")
    listener = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    speaker = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+"
    )
    # The seat of a bot, which has no account.
    bot = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "listener", "speaker"], name="mute_once"),
            models.UniqueConstraint(fields=["table", "listener", "bot"], name="mute_bot_once"),
            models.CheckConstraint(
                condition=Q(speaker=None, bot__isnull=False) | Q(speaker__isnull=False, bot=None),
                name="mute_person_or_bot",
            ),
        ]

    def __str__(self) -> str:
        whom = self.speaker_id if self.bot is None else f"bot {self.bot}"
        return f"{self.listener_id} does not hear {whom} at {self.table_id}"
