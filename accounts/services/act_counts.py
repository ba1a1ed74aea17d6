"""Counts of moderators' acts by month, for the public page.

Counted from the audit, which no one can rewrite; names and reasons are left out. The counts
change once a day and leave out games that are not over or have ended today: otherwise players
would see in them what moderators do in their game.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Count, Q, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import TruncMonth

from accounts.models import AuditEntry, Sanction
from accounts.moderation.act_labels import Counted, counted_acts

_MONTHS: Final = 12


@dataclass(frozen=True)
class Withheld:
    """What is not counted yet: the codes of tables, and the numbers of cases."""

    tables: QuerySet[Any, str]
    cases: QuerySet[Any, int]


# Called with a moment; only games that ended before it are counted.
Withholder = Callable[[datetime], Withheld]
_withholders: Final[list[Withholder]] = []


def withhold_counts(withholder: Withholder) -> None:
    """Register `withholder`, which says what the public page leaves out for now."""
    if withholder not in _withholders:
        _withholders.append(withholder)


@dataclass(frozen=True)
class CountedRow:
    counted: Counted
    # One count per month, newest first.
    counts: tuple[int, ...]


def counts_by_month(now: datetime) -> tuple[list[datetime], list[CountedRow]]:
    """Return the last twelve months, the current one first, and the rows. Two statements."""
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    months = [_month_before(now, ago) for ago in range(_MONTHS)]
    counted = counted_acts()
    fields = sorted({row.field for row in counted if row.field})
    groups = (
        _countable(today)
        .filter(at__gte=months[-1])
        .order_by()
        .annotate(month=TruncMonth("at"), **{f"in_{name}": KT(f"data__{name}") for name in fields})
        .values("month", "act", *(f"in_{name}" for name in fields))
        .annotate(count=Count("pk"))
    )
    found = list(groups)
    rows = []
    for row in counted:
        counts = dict.fromkeys(months, 0)
        for group in found:
            is_it = group["act"] == row.act and (
                not row.field or group[f"in_{row.field}"] == row.value
            )
            if is_it and group["month"] in counts:
                counts[group["month"]] += group["count"]
        rows.append(CountedRow(row, tuple(counts.values())))
    return months, rows


def _countable(today: datetime) -> QuerySet[AuditEntry]:
    """Return the entries of the days before `today`, without those that are withheld."""
    entries = AuditEntry.objects.filter(at__lt=today)
    for withholder in _withholders:
        withheld = withholder(today)
        # Sanctions and appeals name no table: they are found by the case from which they came.
        sanctions = Sanction.objects.filter(report__in=withheld.cases).values_list("pk", flat=True)
        entries = entries.exclude(table__in=withheld.tables).annotate(sanction=KT("data__sanction"))
        others = ~Q(sanction__in=[str(pk) for pk in sanctions])
        entries = entries.filter(Q(sanction__isnull=True) | others)
    return entries


def _month_before(now: datetime, ago: int) -> datetime:
    months = now.year * 12 + now.month - 1 - ago
    return now.replace(
        year=months // 12, month=months % 12 + 1, day=1, hour=0, minute=0, second=0, microsecond=0
    )
