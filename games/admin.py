"""Tables in Django's admin: to find and to read, never to change, and nothing that is hidden.

Running games are closed to the staff as to everybody: what a page here shows of one is what
a spectator sees. Behind its cards leads one way only, which is written down: services/glass.
"""

from typing import Any, Final

from django.contrib import admin
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from games.models import GameAction, Look, Seat, Table

_ROWS: Final = 50


class _ReadOnly(admin.options.BaseModelAdmin):
    """Nobody adds, changes or deletes, superusers included."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class _ReadOnlyAdmin(_ReadOnly, admin.ModelAdmin):
    actions = None
    list_per_page = _ROWS
    show_full_result_count = False
    view_on_site = False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Only what the page offers: `?seed__gte=...` would ask a hidden field bit by bit."""
        return lookup.partition("__")[0] in self.list_filter


class SeatInline(_ReadOnly, admin.TabularInline):
    model = Seat
    fields = ("number", "name", "user", "bot", "is_away")
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).select_related("user", "table")


@admin.register(Table)
class TableAdmin(_ReadOnlyAdmin):
    list_display = (
        "code",
        "stage",
        "edition",
        "pace",
        "visibility",
        "host",
        "people",
        "created_at",
    )
    list_filter = ("stage", "edition", "pace", "visibility")
    search_fields = ("code", "host__username", "seats__name")
    ordering = ("-created_at",)
    # Without the seed and without the invitation, which opens a private table.
    fields = (
        *("code", "stage", "edition", "house_rules", "seats_wanted", "pace", "visibility"),
        *("host", "next_table", "created_at", "started", "ended", "winner", "ending"),
    )
    readonly_fields = fields
    inlines = (SeatInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        tables = super().get_queryset(request).select_related("game", "host")
        # Not a join: a search joins the seats for itself.
        seats = Seat.objects.filter(table=OuterRef("pk")).order_by().values("table")
        taken = Subquery(seats.annotate(taken=Count("pk")).values("taken"))
        return tables.defer("seed", "invitation").annotate(seats_taken=Coalesce(taken, 0))

    @admin.display(description=_("Seats"), ordering="seats_taken")
    def people(self, table: Any) -> str:
        return f"{table.seats_taken}/{table.seats_wanted}"

    @admin.display(description=_("started"))
    def started(self, table: Table) -> Any:
        return _of_game(table, "started_at")

    @admin.display(description=_("ended"))
    def ended(self, table: Table) -> Any:
        return _of_game(table, "ended_at")

    @admin.display(description=_("winner"))
    def winner(self, table: Table) -> Any:
        return _of_game(table, "winner")

    @admin.display(description=_("ending"))
    def ending(self, table: Table) -> Any:
        return _of_game(table, "ending")


@admin.register(GameAction)
class GameActionAdmin(_ReadOnlyAdmin):
    """What was done in games that are over; of the others there is nothing here."""

    list_display = ("table", "number", "seat", "action", "by", "at")
    list_filter = ("by",)
    list_select_related = ("game__table",)
    search_fields = ("=game__table__code",)
    ordering = ("-game", "number")
    fields = readonly_fields = ("table", "number", "seat", "action", "by", "at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[GameAction]:
        actions = super().get_queryset(request).select_related("game__table")
        return actions.filter(game__table__stage=Table.Stage.OVER)

    @admin.display(description=_("table"))
    def table(self, action: GameAction) -> str:
        return action.game.table.code


@admin.register(Look)
class LookAdmin(_ReadOnlyAdmin):
    """Who broke the glass where and why; of a game that one plays in, only when it is over."""

    list_display = ("at", "table", "moderator", "round", "given_reason")
    list_select_related = ("table", "moderator")
    search_fields = ("=table__code", "moderator__username", "reason")
    ordering = ("-at",)
    fields = readonly_fields = ("at", "table", "moderator", "round", "length", "given_reason")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Look]:
        looks = super().get_queryset(request).select_related("table", "moderator")
        own = Table.objects.filter(sat__user=request.user.pk).exclude(stage=Table.Stage.OVER)
        return looks.exclude(table__in=own)

    @admin.display(description=_("reason"))
    def given_reason(self, look: Look) -> str:
        return format_html("<bdi>{}</bdi>", look.reason)


def _of_game(table: Table, name: str) -> Any:
    return getattr(getattr(table, "game", None), name, None) or "-"
