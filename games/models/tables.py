"""Tables and their seats."""

import secrets
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import Any, Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.profiles.names import BOT_MARK
from games import bots
from games.bots.registry import LONGEST_NAME
from games.rules.chance import CONTRIBUTION_BYTES, SEED_BYTES, commitment_to, hash_of
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS
from games.rules.editions import EDITIONS, Options, options_of

# Without 0, 1, l and o, because people read codes aloud and type them.
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
        """The time limit for one decision; None if there is no clock."""
        seconds = _PACE_SECONDS[self]
        return None if seconds is None else timedelta(seconds=seconds * settings.PACE_SCALE)


_PACE_SECONDS: dict[Pace, int | None] = {
    Pace.BLITZ: 20,
    Pace.NORMAL: 60,
    Pace.RELAXED: 180,
    Pace.DAILY: 24 * 60 * 60,
    Pace.UNTIMED: None,
}


class Tempo(models.TextChoices):
    """How fast bots move and speak."""

    SLOW = "slow", pgettext_lazy("bots", "Slow")
    NORMAL = "normal", pgettext_lazy("bots", "Normal")
    FAST = "fast", pgettext_lazy("bots", "Fast")

    @property
    def factor(self) -> float:
        """What the pauses of bots are multiplied by."""
        return _TEMPO_FACTORS[self]


_TEMPO_FACTORS: dict[Tempo, float] = {Tempo.SLOW: 2.0, Tempo.NORMAL: 1.0, Tempo.FAST: 0.35}


class Starts(models.TextChoices):
    """What starts the game."""

    FULL = "full", _("Automatically, when every seat is taken")
    HOST = "host", _("When the host starts it")


class Visibility(models.TextChoices):
    """Who can find a table."""

    PUBLIC = "public", _("Public")
    UNLISTED = "unlisted", _("Unlisted")
    PRIVATE = "private", _("Private")


class Joiners(models.TextChoices):
    """Who may take a seat."""

    ALL = "all", _("Everyone")
    FRIENDS = "friends", _("Friends of the host")
    OLD = "old", _("Accounts that are old enough")
    PLAYED = "played", _("People who have finished enough games")


class Chat(models.TextChoices):
    """How players can talk at a table."""

    FULL = "full", _("Free text and phrases")
    PHRASES = "phrases", _("Phrases only")
    NONE = "none", pgettext_lazy("table", "No chat")


class BotsSay(models.TextChoices):
    """How much bots say at a table."""

    ALL = "all", _("As usual")
    LITTLE = "little", _("A little")
    CLAIMS = "claims", _("Claims only")


# How long after the date the seats of a scheduled table wait for their players.
HERE_WITHIN: Final = timedelta(minutes=5)


class Table(models.Model):
    """The room: its rules, its people, and the one game played in it."""

    class Stage(models.TextChoices):
        OPEN = "open", _("Open")
        # The game has begun; browsers still reveal their part of the seal. See services/sealing.
        SEALING = "sealing", _("Dealing the cards")
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
    # How fast bots move and speak here.
    tempo = models.CharField(max_length=6, choices=Tempo, default=Tempo.NORMAL)
    # How much they say.
    bots_say = models.CharField(max_length=6, choices=BotsSay, default=BotsSay.ALL)
    # The host may start with this number of people and bots; `seats_wanted` is the maximum.
    least_seats = models.PositiveSmallIntegerField(default=LEAST_PLAYERS)
    starts = models.CharField(max_length=4, choices=Starts, default=Starts.HOST)
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    # Whether guests, who have a trial account, may take a seat; never at a public table.
    takes_guests = models.BooleanField(default=False)
    # Whether bot accounts, which programs play with, may take a seat.
    takes_programs = models.BooleanField(default=False)
    # The hashed password of a private table, asked of users who follow the invitation. "" for none.
    password = models.CharField(max_length=128, blank=True, default="")
    # Codes of django.conf.locale.LANG_INFO; an empty list means any language.
    languages = models.JSONField(default=list, blank=True)
    joiners = models.CharField(max_length=7, choices=Joiners, default=Joiners.ALL)
    # Days since registration, or finished games, if `joiners` requires them.
    joiners_least = models.PositiveSmallIntegerField(default=0)
    # Whether others may watch. Before the game, everyone who can find the table may look.
    spectators = models.BooleanField(default=True)
    chat = models.CharField(max_length=7, choices=Chat, default=Chat.FULL)
    # Names are hidden until the game is over: see services/blind.
    is_blind = models.BooleanField(default=False)
    is_rated = models.BooleanField(default=False)
    # The key of the form that opened the table: a form submitted twice opens one table.
    opening_key = models.CharField(
        max_length=32, unique=True, null=True, blank=True, editable=False
    )
    invitation = models.CharField(max_length=32, default=new_invitation)
    # Sealed at opening: RECORD.md, "The seal". Published when the game is over.
    seed = models.BinaryField(default=new_seed, editable=False)
    # The version of the seal by which the cards are dealt; 1 if they were dealt before version 2.
    seal_version = models.PositiveSmallIntegerField(default=2, editable=False)
    # The attempts to deal that were called off, in the record's format: rules/seals.
    seal_attempts = models.JSONField(default=list, editable=False)
    # For the table at which the same people play again; the page of the end shows its commitment.
    next_seed = models.BinaryField(default=new_seed, editable=False)
    # Whether the seats are drawn by lot when the game begins.
    shuffles_seats = models.BooleanField(default=False)
    # The deadline of the table's open question: before the game the ready check, during the reveal
    # the browsers' contributions, during the game an open motion. Null if there is none.
    asked_until = models.DateTimeField(null=True, blank=True, db_index=True)
    # The date for which a scheduled table gathers; null at tables that gather at once. See
    # services/appointments.
    scheduled_at = models.DateTimeField(null=True, blank=True, db_index=True)
    # When its players are next reminded of the date.
    reminds_at = models.DateTimeField(null=True, blank=True)
    # When the date came. After that it is a table like all others.
    met_at = models.DateTimeField(null=True, blank=True)
    # Before the game: since when none of its players has been there; null while one is.
    empty_since = models.DateTimeField(null=True, blank=True)
    # When a player last sat down or a ready check ended; the host's time to start counts from then.
    quiet_since = models.DateTimeField(default=timezone.now)
    # Since when a moderator has stopped all clocks of the table, and why; see services/order.
    frozen_at = models.DateTimeField(null=True, blank=True)
    frozen_because = models.CharField(max_length=8, blank=True, default="")
    # Since when the only person at a table of bots has paused the game; see services/pauses.
    paused_at = models.DateTimeField(null=True, blank=True)
    # The number of moderators' rulings here: `Ruling.ordinal` of the newest.
    ruled = models.PositiveSmallIntegerField(default=0)
    # Incremented with every change that anyone at the table could see.
    version = models.PositiveIntegerField(default=0)
    # Incremented with every message, and with every removal of a message.
    talk = models.PositiveIntegerField(default=0)
    # The table that "play again" opened.
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
        """Whether the table is unlisted, so that users need its address or invitation."""
        return self.visibility != Visibility.PUBLIC

    @property
    def needs_invitation(self) -> bool:
        """Whether the address alone does not give access."""
        return self.visibility == Visibility.PRIVATE

    @property
    def is_frozen(self) -> bool:
        """Whether the clocks are stopped and nothing is allowed but to talk."""
        return self.frozen_at is not None

    @property
    def is_paused(self) -> bool:
        """Whether the only person at a table of bots has stopped the clocks."""
        return self.paused_at is not None

    @property
    def stopped_at(self) -> datetime | None:
        """Since when the clocks of the game stand still, by a freeze or a pause."""
        return self.frozen_at or self.paused_at

    @property
    def is_ahead(self) -> bool:
        """Whether players take seats here for a date that has not come yet."""
        return (
            self.stage == Table.Stage.OPEN and self.scheduled_at is not None and self.met_at is None
        )

    @property
    def seats_guests(self) -> bool:
        """Whether guests may take seats: not where they count, nor for a day that they may miss."""
        return self.takes_guests and not self.is_rated and not self.is_ahead

    @property
    def is_meeting(self) -> bool:
        """Whether the date has come, and the check that it begins with still runs."""
        return (
            self.stage == Table.Stage.OPEN
            and self.met_at is not None
            # Another check may run soon after it; this one alone ends then.
            and self.asked_until == self.met_at + HERE_WITHIN
        )

    @property
    def least(self) -> int:
        """The number of people and bots with which the game may begin."""
        return max(self.least_seats, self.options.players[0])

    @property
    def is_before_game(self) -> bool:
        """Return whether people sit here and wait for their cards."""
        return self.stage in (Table.Stage.OPEN, Table.Stage.SEALING)

    @property
    def is_sealed(self) -> bool:
        """Whether version 2 of the seal was begun; `is_seal_frozen` tells whether it is public."""
        is_dealt = self.stage in (Table.Stage.SEALING, Table.Stage.RUNNING, Table.Stage.OVER)
        return is_dealt and self.seal_version > 1

    @property
    def is_live(self) -> bool:
        """Return whether its game is running or still to come."""
        return self.stage in LIVE_STAGES

    @property
    def commitment(self) -> str:
        return commitment_to(bytes(self.seed))

    @property
    def next_commitment(self) -> str:
        return commitment_to(bytes(self.next_seed))


# As `Table.is_ahead`, for queries.
IS_AHEAD: Final = Q(stage=Table.Stage.OPEN, scheduled_at__isnull=False, met_at__isnull=True)
# The stages of tables whose game is running or still to come.
LIVE_STAGES: Final = (Table.Stage.OPEN, Table.Stage.SEALING, Table.Stage.RUNNING)


def bot_choices() -> list[tuple[str, str]]:
    """Return the registered kinds of bots. A function, so that a new kind needs no migration."""
    return [(name, gettext(label)) for name, label in bots.labels()]


class Level(models.TextChoices):
    """How well a bot plays: `bots.Level` with labels."""

    BEGINNER = str(bots.Level.BEGINNER), pgettext_lazy("level", "Beginner")
    REGULAR = str(bots.Level.REGULAR), pgettext_lazy("level", "Regular")
    EXPERT = str(bots.Level.EXPERT), pgettext_lazy("level", "Expert")


class Seat(models.Model):
    """A seat at a table: a bot's if `bot` is set, otherwise a person's.

    `user` is null for bots, and for people whose account was deleted: a stand-in plays on for them.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    # From 0 round the table; without gaps once the game runs.
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="seats"
    )
    bot = models.CharField(max_length=LONGEST_NAME, choices=bot_choices, blank=True)
    # How well the bot plays; without meaning for people.
    level = models.CharField(max_length=8, choices=Level, default=Level.REGULAR)
    name = models.CharField(max_length=150)
    # The seat's part of the seal. The server draws it, or the player's browser, which sends its
    # hash first. services/sealing explains what the two fields mean together.
    contribution_hash = models.CharField(max_length=64, blank=True, default="")
    # Whether the player who sits here did not reveal in an attempt that was called off.
    has_missed_reveal = models.BooleanField(default=False)
    contribution = models.CharField(max_length=64, blank=True, default=new_contribution)
    # The number of decisions in a row that the clock had to make for this player.
    times_late = models.PositiveSmallIntegerField(default=0)
    is_away = models.BooleanField(default=False)
    # Whether the player's browser is connected; only services/presence writes it. True at first,
    # because a user who sits down has just pressed a button.
    is_connected = models.BooleanField(default=True)
    # Until when the player's clock stands still; see services/vacations. May have passed.
    vacation_until = models.DateTimeField(null=True, blank=True)
    # The player's answer to the ready check.
    is_ready = models.BooleanField(default=False)
    # Whether the player has confirmed, on the first night, that they have read their role.
    has_read_role = models.BooleanField(default=False)
    # Whether the player gets hints: in their first games, until they have had enough.
    has_hints = models.BooleanField(default=False)
    # Whether the player allows that the replay of a private game is shared: see state/sharing.
    shares_replay = models.BooleanField(default=False)

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
            sat = Sat(table_id=self.table_id, user_id=self.user_id, at=timezone.now())
            Sat.objects.bulk_create([sat], ignore_conflicts=True)

    @property
    def is_bot(self) -> bool:
        return bool(self.bot)

    @property
    def vacation_day(self) -> date | None:
        """The day in UTC on which the player's vacation ends or has ended."""
        return None if self.vacation_until is None else self.vacation_until.astimezone(UTC).date()

    @property
    def bot_level(self) -> str:
        """The level of a bot, or "" for kinds without levels and for people."""
        has_levels = self.bot in bots.names() and bots.kind_named(self.bot).levels
        return str(self.level) if has_levels else ""

    @property
    def published_hash(self) -> str:
        """Return the hash of the seat's contribution, as everyone sees it after the freeze."""
        return self.contribution_hash or hash_of(self.contribution)

    @property
    def is_vacant(self) -> bool:
        """Whether the seat's person is missing: away, or without an account."""
        return not self.is_bot and (self.is_away or self.user_id is None)

    @property
    def is_present(self) -> bool:
        """Whether a person is present. Does not depend on roles, or on who is alive."""
        return not self.is_bot and not self.is_vacant

    @property
    def is_person(self) -> bool:
        """Whether a person has this seat, present or not, rather than a bot or a program."""
        return not self.is_bot and not self.name.endswith(BOT_MARK)

    @property
    def is_there(self) -> bool:
        """Whether a person sits here whose browser is connected."""
        return self.is_person and self.user_id is not None and self.is_connected

    @property
    def has_stayed(self) -> bool:
        """Whether, when the game is over, a person was there to the end.

        The account may have been deleted since.
        """
        return self.is_person and not self.is_away

    @property
    def is_voter(self) -> bool:
        """Whether a person sits here who may vote on motions: a program has no vote."""
        return self.is_person and self.is_present

    @property
    def is_reading_role(self) -> bool:
        """Whether the first night waits for this seat's player. Does not depend on roles."""
        return self.is_present and not self.has_read_role

    @property
    def is_moved_for(self) -> bool:
        """Whether the game does not wait for this seat: a bot's, or its person is away or gone.

        A person is gone if the account was deleted.
        """
        return self.is_bot or self.is_away or self.user_id is None


class Sat(models.Model):
    """Every user who has ever had a seat at a table. The row stays when the user leaves the seat.

    `Seat.save` writes it. Code that gives a user a seat by `update` must write it too.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="sat")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="sat")
    # When the person first sat down; null if that was before the site recorded it.
    at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "user"], name="sat_once")]

    def __str__(self) -> str:
        # Without user and table: the admin page of an account lists these, and the table may be
        # blind.
        return f"#{self.pk}"
