"""The public page that counts moderators' acts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import Promise
from django.views.decorators.http import require_safe

from accounts.services.act_counts import CountedRow, counts_by_month


@dataclass(frozen=True)
class Span:
    """A month and its counts, or several successive months without any."""

    first: datetime
    last: datetime
    counts: list[tuple[Promise | str, int]]


@require_safe
def conduct(request: HttpRequest) -> HttpResponse:
    months, rows = counts_by_month(timezone.now())
    spans = _spans(months, rows)
    sums = [(row.counted.label, sum(row.counts)) for row in rows if any(row.counts)]
    context = {
        "spans": spans,
        "sums": sums if len([one for one in spans if one.counts]) > 1 else [],
    }
    return render(request, "moderation/conduct.html", context)


def _spans(months: Sequence[datetime], rows: Sequence[CountedRow]) -> list[Span]:
    """Return the spans, newest first.

    A row without acts in a month is left out, because of fourteen rows most are 0 in most months.
    """
    by_month = [
        (month, [(row.counted.label, row.counts[place]) for row in rows if row.counts[place]])
        for place, month in enumerate(months)
    ]
    spans: list[Span] = []
    for has_some, group in groupby(by_month, key=lambda pair: bool(pair[1])):
        found = list(group)
        if has_some:
            spans += [Span(month, month, counts) for month, counts in found]
        else:
            spans.append(Span(found[-1][0], found[0][0], []))
    return spans
