"""Sanctions that moderators impose, and users' appeals against them."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class _SanctionQuerySet(models.QuerySet["Sanction"]):
    def running(self, now: datetime) -> "_SanctionQuerySet":
        """Filter by the sanctions in force at `now`, which are neither lifted nor over.

        Only the times count, not whether the end was announced.
        """
        return self.filter(Q(ends_at=None) | Q(ends_at__gt=now), at__lte=now, lifted_at=None)


class Sanction(models.Model):
    """A sanction of one user: its kind, reason, moderator, beginning and end."""

    class Kind(models.TextChoices):
        # For moderators only; the user is not notified.
        NOTE = "note", _("Note")
        # The user must read it before using any other page.
        WARNING = "warning", _("Warning")
        MUTE = "mute", _("Chat ban")
        UNRATED = "unrated", _("Ban from rated games")
        SUSPENSION = "suspension", _("Suspension")
        BAN = "ban", _("Ban")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="sanctions")
    kind = models.CharField(_("sanction"), max_length=10, choices=Kind)
    # Shown to the user, in `language`. The reason of a note is shown to moderators only.
    reason = models.TextField(_("reason"), max_length=1000)
    language = models.CharField(max_length=10)
    # Null if that moderator's account has been deleted.
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()
    # Null for a sanction that lasts until it is lifted.
    ends_at = models.DateTimeField(null=True, blank=True)
    # When the user read a warning.
    read_at = models.DateTimeField(null=True, blank=True)
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    lift_reason = models.TextField(blank=True, max_length=1000)
    # When the user was notified that the sanction is over. Used for nothing else.
    expired_at = models.DateTimeField(null=True, blank=True)
    # The number of the case in the moderators' queue from which the sanction came.
    report = models.PositiveBigIntegerField(null=True, blank=True)

    objects = _SanctionQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-pk"]
        default_permissions = ()
        # The permissions of a moderator, a senior moderator and an admin: accounts.auth.roles.
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
        """Return whether the sanction is in force, by the same rule as `running`."""
        return self.lifted_at is None and (self.ends_at is None or self.ends_at > now)


class Appeal(models.Model):
    """A user's one appeal against a sanction, and the decision of another moderator."""

    class Outcome(models.TextChoices):
        UPHELD = "upheld", _("The sanction stands")
        LIFTED = "lifted", _("The sanction is lifted")

    sanction = models.OneToOneField(Sanction, models.CASCADE, related_name="appeal")
    text = models.TextField(max_length=2000)
    at = models.DateTimeField()
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)
    # Shown to the user, in `language`.
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
