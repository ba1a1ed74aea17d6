"""Open dumps: all public games that ended in a month, as records with claims, one a line.

A line is an object of `record` (RECORD.md) and `claims`, as `tests/lab` reads it. A name
stands in it only while its owner consents. When a consent ends, the months with that user's games
are withdrawn at once and made anew.
"""

import gzip
import json
import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from hashlib import sha256
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from config.celery import offer_task
from games.models import Dump, DumpConsent, DumpPart, Message, Seat, Table, Visibility
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received, TopSeen
from games.rules.record import record_json
from games.services.records import record_of
from games.state.chat import said_claim

# By name, because the task calls this module.
WRITE_DUMP: Final = "games.tasks.write_dump"
_CHUNK: Final = 100
_PART: Final = 256 * 1024
_KINDS: Final = {
    Drawn: "president",
    Received: "chancellor",
    TopSeen: "peek",
    PartySeen: "investigation",
}

logger = logging.getLogger(__name__)


def write_dump(*, month: date, progress: Callable[[int, int], None] | None = None) -> Dump:
    """Write the dump of a month anew. Its old file can be downloaded until the end."""
    Dump.objects.get_or_create(month=month)
    while True:
        dump = _written(month, progress)
        if dump is not None:
            return dump


def _written(month: date, progress: Callable[[int, int], None] | None) -> Dump | None:
    """Write the file and publish it. Return None if a name had to leave meanwhile.

    The parts are written one by one: a long transaction would keep moves waiting.
    """
    games = _games_of(month)
    total = games.count()
    with transaction.atomic():
        dump = Dump.objects.select_for_update().get(month=month)
        dump.version += 1
        dump.total = total
        if dump.shown is None:
            dump.games = 0
        dump.save()
    version = dump.version

    def note(done: int) -> None:
        # Where a file is published, the page shows that file's number.
        Dump.objects.filter(pk=dump.pk, shown=None).update(games=done)
        if progress is not None:
            progress(done, total)

    digest, size = sha256(), 0
    counted = _Counted(_lines(games), note)
    for number, part in enumerate(_parts(zipped(counted))):
        digest.update(part)
        size += len(part)
        DumpPart.objects.create(dump=dump, version=version, number=number, data=part)
    with transaction.atomic():
        dump = Dump.objects.select_for_update().get(pk=dump.pk)
        if dump.version != version:
            dump.parts.filter(version=version).delete()
            return None
        dump.games = dump.total = counted.done
        dump.size, dump.sha256 = size, digest.hexdigest()
        dump.shown, dump.made_at = version, timezone.now()
        dump.save()
        dump.parts.exclude(version=version).delete()
    return dump


def dump_lines(month: date, progress: Callable[[int, int], None] | None = None) -> Iterator[bytes]:
    """Yield the lines of a month's dump, reading a few games at a time.

    `progress` gets the number of games so far and of all.
    """
    games = _games_of(month)
    if progress is None:
        return _lines(games)
    total = games.count()
    return iter(_Counted(_lines(games), lambda done: progress(done, total)))


def set_consent(*, user: User, is_given: bool) -> None:
    """Allow the user's name in dumps, or take it out of all of them."""
    with transaction.atomic():
        if is_given:
            DumpConsent.objects.get_or_create(user=user)
        elif DumpConsent.objects.filter(user=user).delete()[0]:
            _withdraw(user)


def forget_consent(user: User) -> None:
    """Take the name of an account that is deleted out of all dumps."""
    set_consent(user=user, is_given=False)


def consent_of(user: User) -> dict[str, Any]:
    """Return since when this user's name may stand in dumps, for the data export."""
    consent = DumpConsent.objects.filter(user=user).first()
    return {"name_allowed_since": None if consent is None else consent.given_at}


def _withdraw(user: User) -> None:
    ended = Seat.objects.filter(user=user).values_list("table__game__ended_at", flat=True)
    months = {_month_of(moment) for moment in ended if moment is not None}
    for dump in Dump.objects.select_for_update().filter(month__in=months):
        dump.version += 1
        dump.shown, dump.made_at, dump.size, dump.sha256 = None, None, 0, ""
        dump.save()
        dump.parts.all().delete()
        transaction.on_commit(partial(_make_anew, dump.month))


def _make_anew(month: date) -> None:
    # By its name alone: web processes do not load the tasks.
    if not offer_task(WRITE_DUMP, (month.isoformat(),)):
        logger.warning("the dump of %s is not made anew: the broker is away", month)


def _month_of(moment: datetime) -> date:
    return moment.astimezone(UTC).date().replace(day=1)


def _games_of(month: date) -> QuerySet[Table]:
    """Return the public tables whose game the rules ended in this month, in UTC."""
    begin = datetime(month.year, month.month, 1, tzinfo=UTC)
    end = begin.replace(year=begin.year + begin.month // 12, month=begin.month % 12 + 1)
    return Table.objects.filter(
        stage=Table.Stage.OVER,
        visibility=Visibility.PUBLIC,
        spectators=True,
        game__stopped="",
        game__ended_at__gte=begin,
        game__ended_at__lt=end,
    ).order_by("pk")


def _lines(games: QuerySet[Table]) -> Iterator[bytes]:
    tables = games.select_related("game").prefetch_related("seats")
    for table in tables.iterator(chunk_size=_CHUNK):
        consents = set(
            DumpConsent.objects.filter(user__seats__table=table).values_list("user_id", flat=True)
        )
        names = tuple(
            seat.name if seat.user_id in consents else f"Player {seat.number + 1}"
            for seat in table.seats.all()
        )
        written = {
            "record": record_json(replace(record_of(table), seats=names)),
            "claims": [_claim_json(claim) for claim in _claims(table)],
        }
        yield json.dumps(written, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _claims(table: Table) -> Iterator[Knowledge]:
    said = table.messages.filter(kind=Message.Kind.CLAIM, removed_at=None).order_by("number")
    for data in said.values_list("data", flat=True):
        yield said_claim(data)


def _claim_json(claim: Knowledge) -> dict[str, Any]:
    claimed: object
    if isinstance(claim, PartySeen):
        claimed = str(claim.party)
    else:
        claimed = [str(policy) for policy in claim.policies]
    kind = _KINDS[type(claim)]
    written = {"kind": kind, "seat": claim.seat, "round": claim.round, "claimed": claimed}
    if isinstance(claim, Drawn):
        written["discarded"] = str(claim.discarded)
    return written


class _Counted:
    """Lines that are counted on their way."""

    def __init__(self, lines: Iterable[bytes], note: Callable[[int], None]) -> None:
        self._lines, self._note, self.done = lines, note, 0

    def __iter__(self) -> Iterator[bytes]:
        for line in self._lines:
            self.done += 1
            if self.done % _CHUNK == 0:
                self._note(self.done)
            yield line


class _Buffer:
    """A file that keeps only what has not been taken yet."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def write(self, data: bytes) -> int:
        self._kept += data
        return len(data)

    def flush(self) -> None:
        pass

    def take(self) -> bytes:
        taken = bytes(self._kept)
        self._kept.clear()
        return taken


def zipped(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the gzipped lines, the same bytes for the same lines."""
    buffer = _Buffer()
    # Without a name and a time in its head, the same games give the same checksum.
    with gzip.GzipFile("", "wb", fileobj=buffer, mtime=0) as file:
        for line in lines:
            file.write(line)
            yield buffer.take()
    yield buffer.take()


def _parts(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Join pieces to parts of about the same size."""
    kept = bytearray()
    for piece in pieces:
        kept += piece
        if len(kept) >= _PART:
            yield bytes(kept)
            kept.clear()
    if kept:
        yield bytes(kept)
