"""The archive: what search, statistics, the public API and feeds know of finished games.

Everything here is derived from records by `services/archive`, and `manage.py rebuild_statistics`
makes it anew. A running game has no row. `games.analysis.summary` says what the numbers mean.
"""

from django.conf import settings
from django.db import models

from games.analysis.moments import Moment
from games.models.games import Game
from games.models.tables import Pace
from games.rules.components import Role


class ArchivedGame(models.Model):
    """A finished game that counts: the rules ended it, and no moderator has voided it."""

    game = models.OneToOneField(
        Game, models.CASCADE, primary_key=True, related_name="archived", db_index=False
    )
    code = models.CharField(max_length=8, unique=True)
    ended_at = models.DateTimeField()
    # How long it lasted.
    seconds = models.PositiveIntegerField()
    rounds = models.PositiveSmallIntegerField()
    edition = models.CharField(max_length=10)
    is_custom = models.BooleanField()
    players = models.PositiveSmallIntegerField()
    # How many of the players were people.
    people = models.PositiveSmallIntegerField()
    winner = models.CharField(max_length=8)
    ending = models.CharField(max_length=20)
    pace = models.CharField(max_length=8, choices=Pace)
    # The table's language, if it had exactly one.
    language = models.CharField(max_length=10, blank=True)
    # Whether everyone may see the game: a public table that allowed spectators.
    is_public = models.BooleanField()

    class Meta:
        indexes = [
            models.Index(fields=["is_public", "-ended_at", "-game"], name="archived_newest"),
            models.Index(fields=["is_public", "-seconds", "-game"], name="archived_longest"),
            models.Index(
                fields=["is_public", "edition", "-ended_at", "-game"], name="archived_by_edition"
            ),
            models.Index(
                fields=["is_public", "ending", "-ended_at", "-game"], name="archived_by_ending"
            ),
            models.Index(
                fields=["is_public", "players", "-ended_at", "-game"], name="archived_by_size"
            ),
            models.Index(
                fields=["is_public", "pace", "-ended_at", "-game"], name="archived_by_pace"
            ),
            models.Index(
                fields=["is_public", "language", "-ended_at", "-game"], name="archived_by_language"
            ),
        ]

    def __str__(self) -> str:
        return self.code


class ArchivedSeat(models.Model):
    """What one seat of an archived game did, in numbers.

    `user` is null for bots and for deleted accounts.
    """

    archived = models.ForeignKey(ArchivedGame, models.CASCADE, related_name="seats", db_index=False)
    # The index below covers this column.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="archived_seats",
        db_index=False,
    )
    number = models.PositiveSmallIntegerField()
    is_bot = models.BooleanField(default=False)
    role = models.CharField(max_length=7, choices=[(role.value, role.value) for role in Role])
    has_won = models.BooleanField()
    # Copied from the game, so that a user's games are found in order by one index.
    ended_at = models.DateTimeField()
    people = models.PositiveSmallIntegerField()
    # Sights (hands, peeks, investigations) of the seat, claims about them, and false claims.
    sights = models.PositiveSmallIntegerField(default=0)
    claims = models.PositiveSmallIntegerField(default=0)
    lies = models.PositiveSmallIntegerField(default=0)
    # False claims that another claim or an enacted policy contradicted before the game was over.
    lies_caught = models.PositiveSmallIntegerField(default=0)
    # Ballots, and those that were right in hindsight for the seat's own side: liberals want two
    # liberal officers, fascists at least one of their own.
    ballots = models.PositiveSmallIntegerField(default=0)
    right_ballots = models.PositiveSmallIntegerField(default=0)
    presidencies = models.PositiveSmallIntegerField(default=0)
    chancellorships = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["archived", "number"], name="archived_seat_once")
        ]
        indexes = [
            models.Index(fields=["user", "-ended_at", "-archived"], name="archived_seat_by_user")
        ]

    def __str__(self) -> str:
        return f"{self.archived_id}/{self.number}"


class ArchivedMoment(models.Model):
    """A moment that happened in an archived game."""

    archived = models.ForeignKey(
        ArchivedGame, models.CASCADE, related_name="moments", db_index=False
    )
    moment = models.CharField(max_length=30, choices=[(each.value, each.value) for each in Moment])
    # Copied from the game, so that the newest games with a moment are found by one index.
    ended_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["archived", "moment"], name="archived_moment_once")
        ]
        indexes = [
            models.Index(fields=["moment", "-ended_at", "-archived"], name="archived_moment_newest")
        ]

    def __str__(self) -> str:
        return f"{self.moment} in {self.archived_id}"


class UnarchivedGame(models.Model):
    """A finished game that a worker has yet to take into the archive.

    Written with the end of the game, deleted with the game's rows in the archive.
    """

    game = models.OneToOneField(
        Game, models.CASCADE, primary_key=True, related_name="unarchived", db_index=False
    )
    # Reading its record failed, so it is not tried again until `manage.py rebuild_statistics`.
    is_unreadable = models.BooleanField(default=False)

    class Meta:
        indexes = [
            models.Index(
                fields=["game"], condition=models.Q(is_unreadable=False), name="unarchived_waiting"
            )
        ]

    def __str__(self) -> str:
        return f"game {self.game_id}"
