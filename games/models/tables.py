"""Tables and who sits at them."""

import secrets
from datetime import timedelta
from functools import cached_property
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.rules.chance import CONTRIBUTION_BYTES, SEED_BYTES, commitment_to
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS
from games.rules.editions import EDITIONS, Options, options_of

# Without 0, 1, l, o: read aloud and typed by people.
_CODE_LETTERS = "23456789abcdefghijkmnpqrstuvwxyz"


def new_code() -> str:
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(8))


def new_invitation() -> str:
    return secrets.token_urlsafe(16)


def new_seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


def new_contribution() -> str:
    return secrets.token_bytes(CONTRIBUTION_BYTES).hex()


class Pace(models.TextChoices):
    BLITZ = "blitz", _("Blitz")
    NORMAL = "normal", _("Normal")
    RELAXED = "relaxed", _("Relaxed")
    DAILY = "daily", _("One day per move")
    UNTIMED = "untimed", _("Untimed")

    @property
    def time(self) -> timedelta | None:
        """How long a decision may take; None where there is no clock."""
        seconds = _PACE_SECONDS[self]
        return None if seconds is None else timedelta(seconds=seconds * settings.PACE_SCALE)


_PACE_SECONDS: dict[Pace, int | None] = {
    Pace.BLITZ: 20,
    Pace.NORMAL: 60,
    Pace.RELAXED: 180,
    Pace.DAILY: 24 * 60 * 60,
    Pace.UNTIMED: None,
}


class Starts(models.TextChoices):
    """What begins the game."""

    FULL = "full", _("Automatically, as soon as every seat is taken")
    HOST = "host", _("When the host begins it")


class Visibility(models.TextChoices):
    """Who finds a table."""

    PUBLIC = "public", _("Public")
    UNLISTED = "unlisted", _("Unlisted")
    PRIVATE = "private", _("Private")


class Joiners(models.TextChoices):
    """Who may take a seat."""

    ALL = "all", _("Everybody")
    FRIENDS = "friends", _("Friends of the host")
    OLD = "old", _("Accounts that are old enough")
    PLAYED = "played", _("People who have finished enough games")


class Chat(models.TextChoices):
    """How people talk at a table."""

    FULL = "full", _("Free text and phrases")
    PHRASES = "phrases", _("Phrases only")
    NONE = "none", pgettext_lazy("table", "No chat")


class Table(models.Model):
    """The room: its rules, its people, and the one game that is played in it."""

    class Stage(models.TextChoices):
        OPEN = "open", _("Open")
        RUNNING = "running", _("Running")
        OVER = "over", _("Over")
        CLOSED = "closed", _("Closed")

    code = models.CharField(max_length=8, unique=True, default=new_code)
    stage = models.CharField(max_length=8, choices=Stage, default=Stage.OPEN)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="hosted_tables"
    )
    edition = models.CharField(max_length=10, choices=[(code, code) for code in EDITIONS])
    # Option values that differ from the edition's: RECORD.md, `options`.
    house_rules = models.JSONField(default=dict, blank=True)
    seats_wanted = models.PositiveSmallIntegerField(default=MOST_PLAYERS)
    pace = models.CharField(max_length=8, choices=Pace, default=Pace.NORMAL)
    # With so many people and bots the host may begin; `seats_wanted` are the most.
    least_seats = models.PositiveSmallIntegerField(default=LEAST_PLAYERS)
    starts = models.CharField(max_length=4, choices=Starts, default=Starts.HOST)
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    # Of a private table, hashed: asked of whoever comes by the invitation. "" for none.
    password = models.CharField(max_length=128, blank=True, default="")
    # Codes of django.conf.locale.LANG_INFO; none means whichever.
    languages = models.JSONField(default=list, blank=True)
    joiners = models.CharField(max_length=7, choices=Joiners, default=Joiners.ALL)
    # Days of the account, or finished games, where `joiners` asks for them.
    joiners_least = models.PositiveSmallIntegerField(default=0)
    # Whether others may watch; while a table gathers, everybody who finds it may look.
    spectators = models.BooleanField(default=True)
    chat = models.CharField(max_length=7, choices=Chat, default=Chat.FULL)
    # Names are hidden until the game is over: see services/blind.
    is_blind = models.BooleanField(default=False)
    is_rated = models.BooleanField(default=False)
    # Of the form that opened it: the same form sent twice opens one table.
    opening_key = models.CharField(
        max_length=32, unique=True, null=True, blank=True, editable=False
    )
    invitation = models.CharField(max_length=32, default=new_invitation)
    # Sealed at opening: RECORD.md, "The seal". Published when the game is over.
    seed = models.BinaryField(default=new_seed, editable=False)
    # Whether the seats are drawn by lot when the game begins.
    shuffles_seats = models.BooleanField(default=False)
    # Until when the table is asked something: while it gathers, whether all are ready; while it
    # plays, the motion that is open. Null where nothing is asked.
    asked_until = models.DateTimeField(null=True, blank=True, db_index=True)
    # When somebody last sat down or a ready check ended: from then on the host has time to begin.
    quiet_since = models.DateTimeField(default=timezone.now)
    # Since when a moderator has all its clocks stand still, and why; see services/order.
    frozen_at = models.DateTimeField(null=True, blank=True)
    frozen_because = models.CharField(max_length=8, blank=True, default="")
    # How often moderators have ruled here: `Ruling.ordinal` of the newest.
    ruled = models.PositiveSmallIntegerField(default=0)
    # Grows with every change that anybody at the table could see.
    version = models.PositiveIntegerField(default=0)
    # Grows with every message, and with every message that is taken away.
    talk = models.PositiveIntegerField(default=0)
    # Where "play again" went.
    next_table = models.OneToOneField(
        "self", models.SET_NULL, null=True, blank=True, related_name="previous_table"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["stage", "-created_at"])]
        constraints = [
            models.CheckConstraint(
                condition=Q(seats_wanted__gte=LEAST_PLAYERS) & Q(seats_wanted__lte=MOST_PLAYERS),
                name="table_seats_wanted_in_box",
            ),
            models.CheckConstraint(
                condition=~Q(pace=Pace.UNTIMED) | ~Q(visibility=Visibility.PUBLIC),
                name="table_untimed_not_public",
            ),
            models.CheckConstraint(
                condition=Q(least_seats__gte=LEAST_PLAYERS)
                & Q(least_seats__lte=models.F("seats_wanted")),
                name="table_least_seats_in_box",
            ),
            models.CheckConstraint(
                condition=Q(is_blind=False) | ~Q(joiners=Joiners.FRIENDS),
                name="table_blind_not_for_friends",
            ),
        ]

    def __str__(self) -> str:
        return self.code

    def get_absolute_url(self) -> str:
        return reverse("games:table", args=[self.code])

    @cached_property
    def options(self) -> Options:
        return options_of(self.edition, self.house_rules)

    @property
    def is_custom(self) -> bool:
        return bool(self.house_rules)

    @property
    def is_private(self) -> bool:
        """Not listed: for those who were given its address or its invitation."""
        return self.visibility != Visibility.PUBLIC

    @property
    def needs_invitation(self) -> bool:
        """Its address alone does not open it."""
        return self.visibility == Visibility.PRIVATE

    @property
    def is_frozen(self) -> bool:
        """Whether nothing may be done here but talk, and no clock goes."""
        return self.frozen_at is not None

    @property
    def least(self) -> int:
        """With how many people and bots the game may begin."""
        return max(self.least_seats, self.options.players[0])

    @property
    def commitment(self) -> str:
        return commitment_to(bytes(self.seed))


class Seat(models.Model):
    """A place at a table: a bot's where `bot` says which, otherwise a person's.

    `user` is null for bots, and for people whose account is gone: a stand-in plays on for them.
    """

    class Bot(models.TextChoices):
        UNIFORM = "uniform", _("Any legal move")
        CAUTIOUS = "cautious", _("Cautious")

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    # From 0 round the table; there are no gaps once the game runs.
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="seats"
    )
    bot = models.CharField(max_length=8, choices=Bot, blank=True)
    name = models.CharField(max_length=150)
    contribution = models.CharField(max_length=32, default=new_contribution)
    # Decisions in a row that the clock had to make for this person.
    times_late = models.PositiveSmallIntegerField(default=0)
    is_away = models.BooleanField(default=False)
    # Whether this person's browser is there: written by services/presence alone.
    # (Whoever sits down has just pressed a button.)
    is_connected = models.BooleanField(default=True)
    # The answer to the ready check.
    is_ready = models.BooleanField(default=False)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="seat_once_per_number"),
            models.UniqueConstraint(fields=["table", "user"], name="seat_once_per_person"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.number} {self.name}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        super().save(*args, **kwargs)
        changed = kwargs.get("update_fields")
        if self.user_id is not None and (changed is None or "user" in changed):
            sat = Sat(table_id=self.table_id, user_id=self.user_id)
            Sat.objects.bulk_create([sat], ignore_conflicts=True)

    @property
    def is_bot(self) -> bool:
        return bool(self.bot)

    @property
    def is_vacant(self) -> bool:
        """Whether a person should be here and is not: away, or their account is gone."""
        return not self.is_bot and (self.is_away or self.user_id is None)

    @property
    def is_present(self) -> bool:
        """Whether a person is here. Blind to roles, and to who is alive."""
        return not self.is_bot and not self.is_vacant

    @property
    def is_moved_for(self) -> bool:
        """Whether nobody is waited for here: a bot, somebody away, or an account that is gone."""
        return self.is_bot or self.is_away or self.user_id is None


class Sat(models.Model):
    """Who has ever had a seat at a table: a seat may be left, and this stays.

    Written by `Seat.save`. Whoever gives a seat to somebody by `update` writes it too.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="sat")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="sat")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "user"], name="sat_once")]

    def __str__(self) -> str:
        # Not who and where: an account's page in the admin lists it, and the table may be blind.
        return f"#{self.pk}"
