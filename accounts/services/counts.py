"""How often moderators have done what, month by month: for everybody to read.

Counted from the audit, which nobody can write anew; who, whom and why are not in it.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Count
from django.db.models.fields.json import KT
from django.db.models.functions import TruncMonth

from accounts.acts import Counted, counted_acts
from accounts.models import AuditEntry

_MONTHS: Final = 12


@dataclass(frozen=True)
class CountedRow:
    counted: Counted
    # As many as there are months, the newest first.
    counts: tuple[int, ...]


def counts_by_month(now: datetime) -> tuple[list[datetime], list[CountedRow]]:
    """The last twelve months, the running one first, and the rows. One statement."""
    months = [_month_before(now, ago) for ago in range(_MONTHS)]
    counted = counted_acts()
    fields = sorted({row.field for row in counted if row.field})
    groups = (
        AuditEntry.objects.filter(at__gte=months[-1])
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


def _month_before(now: datetime, ago: int) -> datetime:
    months = now.year * 12 + now.month - 1 - ago
    return now.replace(
        year=months // 12, month=months % 12 + 1, day=1, hour=0, minute=0, second=0, microsecond=0
    )
