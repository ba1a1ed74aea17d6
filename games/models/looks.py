"""Looks behind the cards of running games: written once, kept for ever."""

from collections.abc import Iterable
from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.tables import Table


class LookIsKept(Exception):
    """A look is written once: what happened is neither changed nor taken back."""


class _LookQuerySet(models.QuerySet["Look"]):
    """Reads, and writes new rows; Django's own ways of changing them are closed."""

    def update(self, **kwargs: Any) -> int:
        # An account that is deleted takes its name with it; the look stays.
        if kwargs != {"moderator": None}:
            raise LookIsKept
        return super().update(**kwargs)

    def delete(self) -> NoReturn:
        raise LookIsKept

    def bulk_update(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise LookIsKept

    def bulk_create(self, objs: Iterable["Look"], *args: Any, **kwargs: Any) -> list["Look"]:
        if kwargs.get("update_conflicts"):
            raise LookIsKept
        return super().bulk_create(objs, *args, **kwargs)


class Look(models.Model):
    """A moderator looked behind the cards of a running game. Never changed, never deleted.

    A table that was looked at cannot be deleted either. A moderator's account can: whose it was,
    the audit knows.
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="looks")
    # Null where the account is gone.
    moderator = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="looks"
    )
    reason = models.CharField(_("reason"), max_length=300)
    # Where the game stood: its actions so far, and the round.
    length = models.PositiveIntegerField()
    round = models.PositiveIntegerField()
    at = models.DateTimeField()
    # Of the form that asked: a form is good for one look.
    key = models.CharField(max_length=64, unique=True)

    objects = _LookQuerySet.as_manager()

    class Meta:
        ordering = ["at"]
        base_manager_name = "objects"
        default_permissions = ("view",)
        permissions = [("break_glass", "Can look behind the cards of a running game")]
        indexes = [models.Index(fields=["moderator", "at"])]

    def __str__(self) -> str:
        return f"{self.moderator_id} at {self.table_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise LookIsKept
        # Not even over a row whose key was named by hand.
        super().save(force_insert=True, using=kwargs.get("using"))

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise LookIsKept
