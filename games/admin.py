"""Tables in Django's admin: to find and read, never to change, and without hidden information.

Running games are hidden from the staff too: a page here shows only what a spectator sees. The only
way to see the cards is services/glass, which is recorded.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from django.contrib import admin
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.admin import AuditedAdmin
from accounts.auth.rights import Right, holds_right
from games.models import CardInspection, GameAction, Ruling, Seat, Table

_ROWS: Final = 50
# Tables that still hide their players, from the staff as well.
_HIDES_PEOPLE: Final = Q(is_blind=True) & ~Q(stage=Table.Stage.OVER)


if TYPE_CHECKING:
    _AnyBaseAdmin = admin.options.BaseModelAdmin[Any]
    _AnyAdmin = admin.ModelAdmin[Any]
    _SeatInline = admin.TabularInline[Seat, Table]
else:
    # Django's classes take no type at runtime.
    _AnyBaseAdmin = admin.options.BaseModelAdmin
    _AnyAdmin = admin.ModelAdmin
    _SeatInline = admin.TabularInline


class _ReadOnly(_AnyBaseAdmin):
    """No one may add, change or delete, superusers included."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class _ReadOnlyAdmin(_ReadOnly, _AnyAdmin):
    actions = None
    list_per_page = _ROWS
    show_full_result_count = False
    view_on_site = False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Allow only the listed filters.

        Others could read a hidden field bit by bit, such as `?seed__gte=...`.
        """
        return lookup.partition("__")[0] in self.list_filter


class SeatInline(_ReadOnly, _SeatInline):
    model = Seat
    fields = readonly_fields = ("number", "name", "person", "bot", "is_away")
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).select_related("user", "table")

    @admin.display(description=_("user"))
    def person(self, seat: Seat) -> str:
        return "-" if seat.user is None or _hides_people(seat.table) else str(seat.user)


@admin.register(Table)
class TableAdmin(AuditedAdmin, _ReadOnlyAdmin):
    """Superusers may delete a table that never had a game; games are kept for ever."""

    list_display = (
        "code",
        "stage",
        "edition",
        "pace",
        "visibility",
        "host_shown",
        "people",
        "created_at",
    )
    list_filter = ("stage", "edition", "pace", "visibility")
    search_fields = ("code", "host__username", "seats__name")
    ordering = ("-created_at",)
    # Leaves out the seed and the invitation, which opens a private table.
    fields = (
        *("code", "stage", "edition", "house_rules", "seats_wanted", "pace", "visibility"),
        *("host_shown", "next_table", "created_at", "frozen_at", "frozen_because"),
        *("started", "ended", "winner", "ending", "stopped"),
    )
    readonly_fields = fields
    inlines = (SeatInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        tables: QuerySet[Table] = super().get_queryset(request).select_related("game", "host")
        # A subquery instead of a join, because a search already joins the seats.
        seats = Seat.objects.filter(table=OuterRef("pk")).order_by().values("table")
        taken = Subquery(seats.annotate(taken=Count("pk")).values("taken"))
        return tables.defer("seed", "invitation").annotate(seats_taken=Coalesce(taken, 0))

    def has_delete_permission(self, request: HttpRequest, obj: Table | None = None) -> bool:
        is_empty = obj is not None and obj.stage == Table.Stage.CLOSED
        return is_empty and holds_right(request.user, Right.OWN_SITE)

    def get_deleted_objects(
        self, objs: Sequence[Any] | QuerySet[Any], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[Any]]:
        """Return the tables' codes, without their players and messages."""
        _, _, _, protected = super().get_deleted_objects(objs, request)
        return [table.code for table in objs], {}, set(), protected

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Table], search_term: str
    ) -> tuple[QuerySet[Table], bool]:
        """Search by what each table shows.

        A host's name does not find a table with hidden players.
        """
        found, may_repeat = super().get_search_results(request, queryset, search_term)
        if not search_term:
            return found, may_repeat
        shown = Q(code__icontains=search_term) | Q(seats__name__icontains=search_term)
        hidden = queryset.filter(_HIDES_PEOPLE & shown).order_by().values("pk")
        open_ones = found.exclude(_HIDES_PEOPLE).order_by().values("pk")
        return queryset.filter(Q(pk__in=hidden) | Q(pk__in=open_ones)), False

    @admin.display(description=_("host"))
    def host_shown(self, table: Table) -> str:
        return "-" if table.host is None or _hides_people(table) else str(table.host)

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

    @admin.display(description=_("ended without a winner"))
    def stopped(self, table: Table) -> Any:
        return _of_game(table, "stopped")


@admin.register(GameAction)
class GameActionAdmin(_ReadOnlyAdmin):
    """Actions of games that are over. Other games are not listed."""

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


@admin.register(CardInspection)
class CardInspectionAdmin(_ReadOnlyAdmin):
    """Who broke the glass, where and why. Staff see looks at their own games only after the end."""

    list_display = ("at", "table", "moderator", "round", "given_reason")
    list_select_related = ("table", "moderator")
    search_fields = ("=table__code", "moderator__username", "reason")
    ordering = ("-at",)
    fields = readonly_fields = ("at", "table", "moderator", "round", "length", "given_reason")

    def get_queryset(self, request: HttpRequest) -> QuerySet[CardInspection]:
        inspections = super().get_queryset(request).select_related("table", "moderator")
        own = Table.objects.filter(sat__user=request.user.pk).exclude(stage=Table.Stage.OVER)
        return inspections.exclude(table__in=own)

    @admin.display(description=_("reason"))
    def given_reason(self, inspection: CardInspection) -> str:
        return format_html("<bdi>{}</bdi>", inspection.reason)


@admin.register(Ruling)
class RulingAdmin(_ReadOnlyAdmin):
    """Moderators' acts at tables. Staff see those at their own tables only after the game's end."""

    list_display = ("at", "table", "kind", "because", "by", "given_reason")
    list_filter = ("kind", "because")
    list_select_related = ("table", "by")
    search_fields = ("=table__code", "by__username", "reason")
    ordering = ("-at",)
    # Leaves out the accounts, because the table may be a blind one.
    fields = readonly_fields = (
        *("at", "table", "ordinal", "kind", "because", "given_reason", "by"),
        *("seat", "gone_name", "newcomer_name"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Ruling]:
        rulings = super().get_queryset(request).select_related("table", "by")
        own = Table.objects.filter(sat__user=request.user.pk).exclude(stage=Table.Stage.OVER)
        return rulings.exclude(table__in=own)

    @admin.display(description=_("reason"))
    def given_reason(self, ruling: Ruling) -> str:
        return format_html("<bdi>{}</bdi>", ruling.reason)


def _hides_people(table: Table) -> bool:
    return table.is_blind and table.stage != Table.Stage.OVER


def _of_game(table: Table, name: str) -> Any:
    return getattr(getattr(table, "game", None), name, None) or "-"
