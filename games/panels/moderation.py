"""The moderators' queue and case page: turns rows into data for templates.

For a running game nothing hidden is included: the log is the spectators', and the players of a
blind table stay unnamed until its end.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Min, QuerySet

from accounts.models import NameChange, Sanction
from games.models import Attendance, Case, CaseStep, Message, Reason, Report, Table
from games.moderation.case_access import HIDDEN, is_hidden, is_running
from games.moderation.excerpts import Copy
from games.moderation.pair_signals import PairSignals, signals_at
from games.panels.chat import MessageRow, copied_row
from games.panels.pieces import locale_for
from games.panels.table import public_panels
from games.selectors.ratings import Weighed, weighed_down
from games.state.rooms import Room

REPORTS_ON_A_PAGE = 30
_EARLIER = 20
_STEPS_SHOWN = 50


@dataclass(frozen=True, slots=True)
class ReasonCount:
    reason: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A case as the queue lists it."""

    pk: int
    # A user's name, a seat's name while the user is hidden, or "" for a table as a whole.
    called: str
    # "" if the case is not about a table.
    code: str
    stage: str
    reasons: tuple[ReasonCount, ...]
    count: int
    language: str
    opened_at: datetime
    newest_at: datetime
    claimed_by: str
    is_mine: bool
    outcome: str


@dataclass(frozen=True, slots=True)
class CopyRow:
    """A copied message, and what happened to it later."""

    row: MessageRow
    is_reported: bool
    # Whether its author is the user whom the case is about.
    is_theirs: bool
    # None if the message has not been removed.
    removed_at: datetime | None = None
    removed_by: str = ""
    removed_because: str = ""


@dataclass(frozen=True, slots=True)
class ReportRow:
    about: str
    called: str
    reason: str
    reporter: str
    language: str
    words: str
    # Whether the text is withheld because the game is running and the viewer has not taken the
    # case.
    words_wait: bool
    round: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Past:
    """Other facts that moderators know about the user."""

    sanctions: tuple[Sanction, ...]
    cases: tuple[Case, ...]
    names: tuple[NameChange, ...]
    # Whether they left before the end of this game.
    has_abandoned: bool
    # Their newest rated games that counted for less.
    weighed_down: tuple[Weighed, ...]


@dataclass(frozen=True, slots=True)
class CasePage:
    pk: int
    called: str
    code: str
    stage: str
    is_blind: bool
    is_hidden: bool
    is_running: bool
    is_person: bool
    language: str
    reasons: tuple[ReasonCount, ...]
    # A page of the reports, and what was copied with them.
    reports: tuple[ReportRow, ...]
    reports_page: "Page[Any]"
    copies: tuple[CopyRow, ...]
    # The number of messages from the gallery of a running game that this moderator may not read.
    unheard: int
    # The user's removed messages at this table.
    removed: tuple[CopyRow, ...]
    log: str
    # Signals between the accounts that have had a seat at the table, and the reporters.
    signals: tuple[PairSignals, ...]
    past: Past | None
    steps: tuple[CaseStep, ...]
    opened_at: datetime
    claimed_by: str
    is_mine: bool
    outcome: str
    decided_by: str
    decided_at: datetime | None
    remark: str


def queue_rows(cases: Sequence[Case], user_pk: int) -> list[QueueRow]:
    """Return one page of the queue. Cases must be read with their table, person and holder.

    Makes two more statements, however many cases and reports there are.
    """
    reasons: defaultdict[int, dict[str, int]] = defaultdict(dict)
    first: dict[int, int] = {}
    reports = Report.objects.filter(case__in=[case.pk for case in cases]).order_by()
    counted = reports.values_list("case", "reason").annotate(count=Count("pk"), first=Min("pk"))
    for pk, reason, count, report in counted:
        reasons[pk][reason] = count
        first[pk] = min(first.get(pk, report), report)
    names = dict(reports.filter(pk__in=first.values()).values_list("case", "called"))
    called = {pk: names[pk] for pk in first if pk in names}
    return [
        QueueRow(
            pk=case.pk,
            called=_called(case, called.get(case.pk, "")),
            code="" if case.table is None else case.table.code,
            stage="" if case.table is None else case.table.stage,
            reasons=_counted(reasons[case.pk]),
            count=case.reports_count,
            language=case.language,
            opened_at=case.opened_at,
            newest_at=case.newest_at,
            claimed_by="" if case.claimed_by is None else case.claimed_by.username,
            is_mine=case.claimed_by_id == user_pk,
            outcome=case.outcome,
        )
        for case in cases
    ]


def case_page(
    case: Case,
    user_pk: int,
    *,
    room: Room | None,
    language: str,
    hears_gallery: bool,
    known: QuerySet[Case],
    page: str | None = None,
) -> CasePage:
    """Return what a moderator reads about a case. `room` is its table's, `known` are the
    cases that they may know, and `page` is the page of reports."""
    reports_page = Paginator(
        case.reports.select_related("reporter").order_by("at", "pk"), REPORTS_ON_A_PAGE
    ).get_page(page)
    reports = list(reports_page)
    first = case.reports.order_by("at", "pk").values_list("called", flat=True).first() or ""
    counted = case.reports.order_by().values_list("reason").annotate(count=Count("pk"))
    is_mine = case.claimed_by_id == user_pk
    hidden, running = is_hidden(case), is_running(case)
    messages = _messages(case, reports)
    copies = _copies(case, reports, messages)
    gallery = Message.Place.GALLERY
    heard = [row for row in copies if not running or hears_gallery or row.row.place != gallery]
    log = ""
    if room is not None and room.game is not None:
        _, panels = public_panels(room, locale_for(language, room.table.edition))
        log = panels["log"].html
    return CasePage(
        pk=case.pk,
        called=_called(case, first),
        code="" if case.table is None else case.table.code,
        stage="" if case.table is None else case.table.stage,
        is_blind=case.table is not None and case.table.is_blind,
        is_hidden=hidden,
        is_running=running,
        is_person=case.person_id is not None,
        language=case.language,
        reasons=_counted(dict(counted)),
        reports=tuple(
            ReportRow(
                about=report.about,
                called=report.called,
                reason=report.get_reason_display(),
                reporter=_reporter(report, room),
                language=report.language,
                words=report.words if is_mine or not running else "",
                words_wait=bool(report.words) and running and not is_mine,
                round=report.round,
                at=report.at,
            )
            for report in reports
        ),
        reports_page=reports_page,
        copies=tuple(heard),
        unheard=len(copies) - len(heard),
        removed=_removed(case, hears_gallery or not running),
        log=log,
        signals=_signals(case, reports),
        past=None if hidden or case.person_id is None else _past(case, known),
        steps=tuple(case.steps.select_related("by", "to").order_by("-at", "-pk")[:_STEPS_SHOWN])[
            ::-1
        ],
        opened_at=case.opened_at,
        claimed_by="" if case.claimed_by is None else case.claimed_by.username,
        is_mine=is_mine,
        outcome=case.outcome,
        decided_by="" if case.decided_by is None else case.decided_by.username,
        decided_at=case.decided_at,
        remark=case.remark,
    )


def _called(case: Case, called: str) -> str:
    """Return the name that a moderator may see now."""
    if case.person is None:
        return "" if case.outcome != Case.Outcome.LAPSED else called
    return called if is_hidden(case) else case.person.username


def _reporter(report: Report, room: Room | None) -> str:
    """Return the reporter's name; at a table that hides names, the seat's."""
    if report.reporter is None:
        return ""
    if room is not None and room.table.is_blind and not room.is_over:
        seat = room.seat_of(report.reporter_id)
        return "" if seat is None else seat.name
    return report.reporter.username


def _counted(reasons: Mapping[str, int]) -> tuple[ReasonCount, ...]:
    """Return the reasons, most frequent first, then in the order of the form."""
    order = list(Reason)
    found = sorted(reasons.items(), key=lambda item: (-item[1], order.index(Reason(item[0]))))
    return tuple(ReasonCount(reason, str(Reason(reason).label), count) for reason, count in found)


def _messages(case: Case, reports: Iterable[Report]) -> dict[tuple[str, int], Message]:
    """Read the current rows of the copied messages in one query."""
    if case.table is None:
        return {}
    nths = {copy["nth"] for report in reports for copy in report.copies}
    rows = case.table.messages.filter(nth__in=nths).select_related("removed_by")
    return {(row.place, row.nth): row for row in rows}


def _copies(
    case: Case, reports: Iterable[Report], messages: Mapping[tuple[str, int], Message]
) -> list[CopyRow]:
    """Return the messages copied by all reports, each once, in order."""
    if case.table is None:
        return []
    merged: dict[tuple[str, int], Copy] = {}
    for report in reports:
        for copy in report.copies:
            key = copy["place"], copy["nth"]
            known = merged.get(key)
            if known is None or copy["is_reported"]:
                merged[key] = copy
    rows = []
    for key, copy in sorted(merged.items(), key=lambda item: (item[1]["at"], item[0])):
        now = messages.get(key)
        rows.append(
            CopyRow(
                row=copied_row(case.table.code, copy),
                is_reported=copy["is_reported"],
                is_theirs=case.person_id is not None and copy["user"] == case.person_id,
                **_removal(now),
            )
        )
    return rows


def _removal(row: Message | None) -> dict[str, Any]:
    if row is None or row.removed_at is None:
        return {}
    return {
        "removed_at": row.removed_at,
        "removed_by": "" if row.removed_by is None else row.removed_by.username,
        "removed_because": row.removed_because,
    }


def _removed(case: Case, hears_gallery: bool) -> tuple[CopyRow, ...]:
    """Return the user's messages at this table that moderators removed, with their text."""
    table: Table | None = case.table
    if table is None or case.person_id is None:
        return ()
    rows = table.messages.filter(user=case.person_id, removed_at__isnull=False)
    if not hears_gallery:
        rows = rows.filter(place=Message.Place.TABLE)
    return tuple(
        CopyRow(
            row=copied_row(table.code, _as_copy(row)),
            is_reported=False,
            is_theirs=True,
            **_removal(row),
        )
        for row in rows.select_related("removed_by").order_by("-number")[:_EARLIER]
    )


def _as_copy(row: Message) -> Copy:
    return {
        "place": row.place,
        "nth": row.nth,
        "kind": row.kind,
        "seat": row.seat,
        "name": row.name,
        "guest": row.guest,
        "text": row.text,
        "data": row.data,
        "names": list(row.table.seats.values_list("name", flat=True))
        if row.kind != Message.Kind.TEXT
        else [],
        "round": row.round,
        "at": row.at.isoformat(),
    }


def _signals(case: Case, reports: Iterable[Report]) -> tuple[PairSignals, ...]:
    """Return no signals if the names are hidden: accounts known by their signals have names."""
    if case.table is None or is_hidden(case):
        return ()
    reporters = {
        (report.reporter.pk, report.reporter.username)
        for report in reports
        if report.reporter is not None
    }
    return signals_at(case.table, reporters)


def _past(case: Case, known: QuerySet[Case]) -> Past:
    person = case.person
    assert person is not None
    others = known.filter(person=person).exclude(pk=case.pk).exclude(HIDDEN)
    others = others.select_related("table")
    return Past(
        sanctions=tuple(person.sanctions.select_related("by")[:_EARLIER]),
        cases=tuple(others.order_by("-opened_at")[:_EARLIER]),
        names=tuple(person.name_changes.all()[:_EARLIER]),
        has_abandoned=Attendance.objects.filter(
            user=person, game__table=case.table_id, is_abandoned=True
        ).exists()
        if case.table_id is not None
        else False,
        weighed_down=weighed_down(person.pk),
    )
