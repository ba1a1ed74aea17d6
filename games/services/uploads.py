"""Records that users upload: kept as they were sent, once they have been replayed to the end.

Games of secrethitler.io are converted to records first.
"""

import json
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

from django.conf import settings
from django.db import transaction

from accounts.models import User
from games.models import UploadedRecord
from games.rules.io_summary import is_summary, line_of_summary
from games.rules.knowledge import Knowledge
from games.rules.reading import RecordError, read_list
from games.rules.record import FORMAT, Record, read_record, replay
from games.rules.record_claims import read_claims
from games.rules.record_file import parse_json
from games.state.written_games import shown_names
from games.wording.refusals import Refusal, Refused

_DECODER: Final = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Upload:
    """A game as it is kept: the text of a record or of a line of a dump, and what it says."""

    text: str
    record: Record
    claims: tuple[Knowledge, ...] = ()


def read_uploads(data: bytes) -> tuple[Upload, ...]:
    """Return the games in a file: a record, a line of a dump, or summaries of secrethitler.io.

    Raises RecordError or IllegalRecord for one that does not replay to its last action.
    """
    root = parse_json(data)
    summaries = root if isinstance(root, list) else [root]
    if not summaries or not all(map(is_summary, summaries)):
        return (Upload(data.decode("utf-8-sig"), *_read(root)),)
    most = settings.MOST_GAMES_OF_AN_UPLOAD
    if len(summaries) > most:
        raise RecordError("too_many_games", f"[{most}]", most=most)
    found = []
    for number, summary in enumerate(summaries):
        try:
            line = line_of_summary(summary)
        except RecordError as error:
            path = f"[{number}].{error.path}" if summary is not root else error.path
            raise RecordError(error.code, path, **error.params) from None
        found.append(Upload(json.dumps(line, ensure_ascii=False), *_read(line)))
    return tuple(found)


def _read(root: object) -> tuple[Record, tuple[Knowledge, ...]]:
    """Return a record and the claims beside it, in a line of a dump."""
    if not isinstance(root, dict) or root.get("format", FORMAT) != FORMAT:
        raise RecordError("other_format", ".")
    if "format" in root:
        return _checked(read_record(root)), ()
    if "record" not in root:
        raise RecordError("other_format", ".")
    record = _checked(read_record(root["record"]))
    most = settings.MOST_ACTIONS_OF_A_RECORD
    if len(read_list(root.get("claims", []), "claims")) > most:
        raise RecordError("too_many_actions", f"claims[{most}]", most=most)
    return record, read_claims(root, record)[-settings.MOST_CLAIMS_OF_A_RECORD :]


def _checked(record: Record) -> Record:
    if len(record.entries) > settings.MOST_ACTIONS_OF_A_RECORD:
        path = f"actions[{settings.MOST_ACTIONS_OF_A_RECORD}]"
        raise RecordError("too_many_actions", path, most=settings.MOST_ACTIONS_OF_A_RECORD)
    for _ in replay(record):
        pass
    return record


def keep_uploads(*, user: User, data: bytes) -> list[UploadedRecord]:
    """Keep the games of a file for their owner alone: all of them, or none.

    Raises RecordError or IllegalRecord for a game that is not valid, and Refused
    (RECORDS_ENOUGH).
    """
    found = read_uploads(data)
    with transaction.atomic():
        # Two concurrent forms must not both pass the limit.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        most = settings.RECORDS_OF_A_USER
        if most and UploadedRecord.objects.filter(owner=user).count() + len(found) > most:
            raise Refused(Refusal.RECORDS_ENOUGH)
        return [
            UploadedRecord.objects.create(
                owner=user,
                text=upload.text,
                edition=upload.record.edition,
                players=len(upload.record.seats),
                ending="" if upload.record.outcome is None else str(upload.record.outcome.ending),
                names=shown_names(upload.record),
                has_seal=upload.record.seal is not None,
            )
            for upload in found
        ]


def root_of(kept: UploadedRecord) -> Any:
    """Return the JSON of a record. A number too large for a float, in an old one, stays text."""
    return json.loads(kept.text.removeprefix("\ufeff"), parse_float=_number)


def _number(digits: str) -> float | str:
    number = float(digits)
    return number if isfinite(number) else digits


def share_upload(*, user: User, code: str, is_shared: bool) -> bool:
    """Open one of the user's records to everyone who has its link, or close it again."""
    mine = UploadedRecord.objects.filter(owner=user, code=code)
    return bool(mine.update(is_shared=is_shared))


def delete_upload(*, user: User, code: str) -> bool:
    """Delete one of the user's records, and return whether it existed."""
    return bool(UploadedRecord.objects.filter(owner=user, code=code).delete()[0])


def uploads_of(user: User) -> list[dict[str, Any]]:
    """Return the records that this user has uploaded, for the data export."""
    found = UploadedRecord.objects.filter(owner=user).order_by("pk")
    return [
        {
            "code": kept.code,
            "is_shared": kept.is_shared,
            "created_at": kept.created_at,
            "record": root_of(kept),
        }
        for kept in found.iterator()
    ]


def line_of(text: str, path: str) -> int | None:
    """Return the line, from 1, on which the value at `path` begins; None if there is none.

    `path` is written as in a RecordError: `actions[3].target`, or `12:5` for an error of the
    syntax. For a key that is missing it is the line of the object.
    """
    line, _, column = path.partition(":")
    if line.isdecimal() and column.isdecimal():
        return int(line)
    try:
        return text.count("\n", 0, _find(text, path)) + 1
    except (ValueError, IndexError, RecursionError):
        return None


def _find(text: str, path: str) -> int:
    at = _after_space(text, int(text.startswith("\ufeff")))
    if not path.startswith("claims") and _value(text, at, "format") is None:
        # In a line of a dump, the record stands in an object.
        at = _value(text, at, "record") or at
    for part in path.replace("[", ".[").split("."):
        if not part:
            continue
        found = _item(text, at, int(part[1:-1])) if part[0] == "[" else _value(text, at, part)
        if found is None:
            return at
        at = found
    return at


def _item(text: str, at: int, number: int) -> int | None:
    """Return where item `number` of the list at `at` begins."""
    if text[at] != "[":
        return None
    at = _after_space(text, at + 1)
    while number and text[at] != "]":
        _, at = _DECODER.raw_decode(text, at)
        at = _after_space(text, at)
        if text[at] == ",":
            at, number = _after_space(text, at + 1), number - 1
    return None if text[at] == "]" else at


def _value(text: str, at: int, key: str) -> int | None:
    """Return where the value of `key` in the object at `at` begins; the last one's, if several."""
    if text[at] != "{":
        return None
    found = None
    at = _after_space(text, at + 1)
    while text[at] == '"':
        name, at = _DECODER.raw_decode(text, at)
        at = _after_space(text, _after_space(text, at) + 1)
        if name == key:
            found = at
        _, at = _DECODER.raw_decode(text, at)
        at = _after_space(text, at)
        if text[at] == ",":
            at = _after_space(text, at + 1)
    return found


def _after_space(text: str, at: int) -> int:
    while text[at] in " \t\r\n":
        at += 1
    return at
