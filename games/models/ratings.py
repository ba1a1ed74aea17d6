"""Ratings: which games count, what each game changed, and how players stand."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.games import Game
from games.rating import SIGMA, Side, Skill


class RatingPlayer(models.Model):
    """A player as the ratings know them. It outlives the account, without a name.

    The ratings of others follow from its games, so they can still be counted anew.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="rating_player",
    )
    # Whether leaderboards show the player; the player's choice.
    is_listed = models.BooleanField(default=True)
    # Whether `Rating` has to follow the changes once more.
    is_stale = models.BooleanField(default=False, db_index=True)

    def __str__(self) -> str:
        return f"rating player {self.pk} ({self.user_id})"


class RatedTempo(models.TextChoices):
    """The paces that are rated apart."""

    LIVE = "live"
    DAYS = "days"


class RatedGame(models.Model):
    """A finished game at a rated table: whether it counts, and all that its ratings follow from.

    Written with the end of the game; everything else is the work of `services/ratings`.
    """

    class State(models.TextChoices):
        # Nothing is decided yet.
        NEW = "new"
        # It does not count: see `refused`.
        REFUSED = "refused"
        # It counts, but its changes are not there yet, or not any more.
        WAITING = "waiting"
        COUNTED = "counted"
        # A moderator has voided it: its changes, if any, have to be taken back.
        WITHDRAWN = "withdrawn"

    class Refused(models.TextChoices):
        BOTS = "bots"
        STAND_INS = "stand_ins"
        HOUSE_RULES = "house_rules"
        SHORT = "short"
        STOPPED = "stopped"
        UNREADABLE = "unreadable"

    game = models.OneToOneField(
        Game, models.CASCADE, primary_key=True, related_name="rated", db_index=False
    )
    tempo = models.CharField(max_length=4, choices=RatedTempo)
    # Games count in the order of their ends.
    ended_at = models.DateTimeField()
    season = models.PositiveIntegerField()
    state = models.CharField(max_length=9, choices=State, default=State.NEW)
    refused = models.CharField(max_length=11, choices=Refused, blank=True)
    edition = models.CharField(max_length=10)
    players = models.PositiveSmallIntegerField()
    # The table's language, if it had exactly one.
    language = models.CharField(max_length=10, blank=True)
    winner = models.CharField(max_length=8)
    # `sides`: pairs of a RatingPlayer and a side, by seat. `devices`: triples of two players and
    # how many browsers they shared at the end. `thrown`: see games.rating.Sign.
    facts = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["tempo", "state", "ended_at"])]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.state}"


class RatingChange(models.Model):
    """What a game changed for one player. Rows are only added, or taken back as a tail."""

    rated = models.ForeignKey(RatedGame, models.CASCADE, related_name="changes")
    # The constraint below and the index cover these columns.
    player = models.ForeignKey(RatingPlayer, models.CASCADE, related_name="changes", db_index=False)
    tempo = models.CharField(max_length=4, choices=RatedTempo)
    side = models.CharField(max_length=7, choices=[(side.value, side.value) for side in Side])
    season = models.PositiveIntegerField()
    at = models.DateTimeField()
    has_won = models.BooleanField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()
    # How many games of this kind the player has, with this one.
    games = models.PositiveIntegerField()
    weight = models.FloatField(default=1.0)
    # Why the weight is below 1: triples of a sign, a number and another player or null.
    reasons = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "rated"], name="rating_change_once")
        ]
        indexes = [
            models.Index(fields=["player", "tempo", "-at", "-rated"], name="rating_change_history"),
            models.Index(fields=["tempo", "at"], name="rating_change_tail"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} by {self.rated_id}"

    @property
    def skill(self) -> Skill:
        return Skill(self.mu, self.sigma)


class _Standing(models.Model):
    player = models.ForeignKey(RatingPlayer, models.CASCADE, db_index=False)
    tempo = models.CharField(max_length=4, choices=RatedTempo)
    side = models.CharField(max_length=7, choices=[(side.value, side.value) for side in Side])
    season = models.PositiveIntegerField()
    mu = models.FloatField(default=0.0)
    sigma = models.FloatField(default=SIGMA)
    # The shown number, by which leaderboards are ordered.
    shown = models.IntegerField()
    games = models.PositiveIntegerField()

    class Meta:
        abstract = True

    @property
    def skill(self) -> Skill:
        return Skill(self.mu, self.sigma)


class Rating(_Standing):
    """How a player stands now, followed from the changes.

    A row with a scope, such as "edition:ru", exists for players with enough games of that kind. The
    skill is the same in all scopes.
    """

    scope = models.CharField(max_length=20, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "tempo", "side", "scope"], name="rating_once")
        ]
        indexes = [
            # The leaderboards; only players with a public rating.
            models.Index(
                fields=["tempo", "side", "scope", "season", "-shown", "-player"],
                condition=Q(games__gte=10),
                name="rating_board",
            )
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.tempo} {self.side} {self.scope}"


class SeasonStanding(_Standing):
    """How a player with a public rating stood when a season ended."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["season", "tempo", "side", "player"], name="season_standing_once"
            )
        ]
        indexes = [
            models.Index(
                fields=["season", "tempo", "side", "-shown", "-player"],
                name="season_standing_board",
            )
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.season}"


class RatingLedger(models.Model):
    """One row for each tempo: writers of its ratings lock it, and count what they change."""

    tempo = models.CharField(max_length=4, choices=RatedTempo, primary_key=True)
    version = models.PositiveIntegerField(default=0)
    # The newest season that is in the archive.
    archived = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return self.tempo
