import secrets
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.names import KEY_LENGTH, NAME_LENGTH, name_key, skeleton, validate_name

# Between a skeleton and the number of a copy of it that was there before looks were compared.
COPY_MARK: Final = "\n"

username_validators = [validate_name]

__all__ = [
    "NAME_LENGTH",
    "Export",
    "NameChange",
    "User",
    "name_key",
    "username_validators",
    "validate_name",
]


class User(AbstractUser):
    """A person who plays. The username is the name at the table."""

    name_key = models.CharField(max_length=KEY_LENGTH, unique=True, editable=False)
    # How the name looks: no two look alike, but for those that did before this was asked.
    skeleton = models.CharField(max_length=KEY_LENGTH + 30, unique=True, editable=False)
    language = models.CharField(
        _("language"),
        max_length=10,
        choices=settings.LANGUAGES,
        blank=True,
        help_text=_("The language of the site and of every table for this person."),
    )

    # When the account goes, where its owner has asked for that and not come back.
    closes_at = models.DateTimeField(null=True, blank=True, editable=False, db_index=True)

    def save(self, *args: Any, **kwargs: Any) -> None:
        changed = kwargs.get("update_fields")
        if changed is None or "username" in changed:
            self.set_keys()
            if changed is not None:
                kwargs["update_fields"] = {*changed, "name_key", "skeleton"}
        super().save(*args, **kwargs)

    def set_keys(self) -> None:
        """What is compared of the name. For those who write without `save`, too."""
        self.name_key = name_key(self.username)
        looks = skeleton(self.username)
        if self.skeleton.partition(COPY_MARK)[0] != looks:
            self.skeleton = looks


class NameChange(models.Model):
    """Somebody went by another name before; for moderators to read."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="name_changes")
    old = models.CharField(_("old name"), max_length=150)
    new = models.CharField(_("new name"), max_length=150)
    at = models.DateTimeField(_("when"))

    class Meta:
        ordering = ["-at"]
        default_permissions = ("view",)
        verbose_name = _("change of name")
        verbose_name_plural = _("changes of names")

    def __str__(self) -> str:
        return f"{self.old} → {self.new}"


def new_export_code() -> str:
    return secrets.token_urlsafe(16)


class Export(models.Model):
    """What the site keeps about a person, written down for that person for some days."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="exports")
    # Its address; who comes there has to be the owner all the same.
    code = models.CharField(max_length=32, unique=True, default=new_export_code)
    asked_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)
    # JSON; empty until a worker has written it.
    content = models.TextField(blank=True)

    class Meta:
        ordering = ["-asked_at"]
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.user_id} at {self.asked_at}"
