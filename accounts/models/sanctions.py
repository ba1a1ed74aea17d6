"""What moderators lay upon a person, and what the person says to it."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class _SanctionQuerySet(models.QuerySet["Sanction"]):
    def running(self, now: datetime) -> "_SanctionQuerySet":
        """Those in force at this moment: neither lifted nor over. By the clock alone."""
        return self.filter(Q(ends_at=None) | Q(ends_at__gt=now), at__lte=now, lifted_at=None)


class Sanction(models.Model):
    """One sanction of one person: what, why, by whom, from when until when."""

    class Kind(models.TextChoices):
        # For moderators alone; the person is not told.
        NOTE = "note", _("Note")
        # Has to be read before anything else.
        WARNING = "warning", _("Warning")
        MUTE = "mute", _("No chat")
        UNRATED = "unrated", _("No rated games")
        SUSPENSION = "suspension", _("Suspension")
        BAN = "ban", _("Ban")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="sanctions")
    kind = models.CharField(_("sanction"), max_length=10, choices=Kind)
    # For the person to read, in `language`; of a note for moderators.
    reason = models.TextField(_("reason"), max_length=1000)
    language = models.CharField(max_length=10)
    # None when that moderator's account has gone.
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()
    # None: until it is lifted.
    ends_at = models.DateTimeField(null=True, blank=True)
    # A warning that has been read.
    read_at = models.DateTimeField(null=True, blank=True)
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    lift_reason = models.TextField(blank=True, max_length=1000)
    # When the person was told that its time is over. Nothing depends on it but that.
    expired_at = models.DateTimeField(null=True, blank=True)
    # The case of the moderators' queue from which it came.
    report = models.PositiveBigIntegerField(null=True, blank=True)

    objects = _SanctionQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-pk"]
        default_permissions = ()
        # What makes a moderator, a senior one, an admin: accounts.roles.
        permissions = [
            ("moderate", "Moderates"),
            ("moderate_more", "Moderates moderators"),
            ("moderate_all", "Administers the site"),
        ]
        indexes = [
            models.Index(fields=["user", "-at"], name="sanction_of"),
            models.Index(
                fields=["ends_at"],
                condition=Q(lifted_at__isnull=True, expired_at__isnull=True),
                name="sanction_ending",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.user_id}"

    def is_running(self, now: datetime) -> bool:
        """As `running` says it of a row."""
        return self.lifted_at is None and (self.ends_at is None or self.ends_at > now)


class Appeal(models.Model):
    """What a person says to a sanction, once, and what another moderator made of it."""

    class Outcome(models.TextChoices):
        UPHELD = "upheld", _("The sanction stands")
        LIFTED = "lifted", _("The sanction is lifted")

    sanction = models.OneToOneField(Sanction, models.CASCADE, related_name="appeal")
    text = models.TextField(max_length=2000)
    at = models.DateTimeField()
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)
    # For the person to read, in `language`.
    answer = models.TextField(blank=True, max_length=1000)
    language = models.CharField(max_length=10, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True, db_index=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["at"]
        default_permissions = ()

    def __str__(self) -> str:
        return f"appeal against {self.sanction_id}"
