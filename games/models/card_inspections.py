"""Moderators' looks at the hidden cards of running games: written once, kept for ever."""

from collections.abc import Iterable
from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.tables import Table


class CardInspectionIsKept(Exception):
    """Code tried to change or delete a inspection. A look is written once and stays."""


class _CardInspectionQuerySet(models.QuerySet["CardInspection"]):
    """A queryset that only reads and inserts; Django's ways of changing rows are blocked."""

    def update(self, **kwargs: Any) -> int:
        # Deleting an account clears the moderator; the look stays.
        if kwargs != {"moderator": None}:
            raise CardInspectionIsKept
        return super().update(**kwargs)

    def delete(self) -> NoReturn:
        raise CardInspectionIsKept

    def bulk_update(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise CardInspectionIsKept

    def bulk_create(
        self, objs: Iterable["CardInspection"], *args: Any, **kwargs: Any
    ) -> list["CardInspection"]:
        if kwargs.get("update_conflicts"):
            raise CardInspectionIsKept
        return super().bulk_create(objs, *args, **kwargs)


class CardInspection(models.Model):
    """A moderator's look at the hidden cards of a running game. Never changed, never deleted.

    A table with a look cannot be deleted either. A moderator's account can: the audit still knows
    whose look it was.
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="card_inspections")
    # Null if the account was deleted.
    moderator = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="card_inspections"
    )
    reason = models.CharField(_("reason"), max_length=300)
    # The state of the game then: the number of actions so far, and the round.
    length = models.PositiveIntegerField()
    round = models.PositiveIntegerField()
    at = models.DateTimeField()
    # The key of the submitted form: a form is valid for one inspection.
    key = models.CharField(max_length=64, unique=True)

    objects = _CardInspectionQuerySet.as_manager()

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
            raise CardInspectionIsKept
        # Forces an insert, so that an object with a given primary key cannot overwrite a row.
        super().save(force_insert=True, using=kwargs.get("using"))

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise CardInspectionIsKept
