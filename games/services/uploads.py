"""Records that users upload: kept as they were sent, once they have been replayed to the end."""

import json
from typing import Any, Final

from django.conf import settings
from django.db import transaction

from accounts.models import User
from games.models import UploadedRecord
from games.rules.knowledge import Knowledge
from games.rules.reading import RecordError, read_list
from games.rules.record import Record, read_record, replay
from games.rules.record_claims import read_claims
from games.rules.record_file import parse_json
from games.state.written_games import names_to_show
from games.wording.refusals import Refusal, Refused

_DECODER: Final = json.JSONDecoder()


def read_upload(data: bytes) -> Record:
    """Return a record that replays to its last action. Raises RecordError or IllegalRecord."""
    return read_upload_with_claims(data)[0]


def read_upload_with_claims(data: bytes) -> tuple[Record, tuple[Knowledge, ...]]:
    """Return a record and the claims beside it, in a line of a dump. Raises as `read_upload`."""
    root = parse_json(data)
    if not isinstance(root, dict) or "format" in root or "record" not in root:
        return _checked(read_record(root)), ()
    record = _checked(read_record(root["record"]))
    most = settings.MOST_ACTIONS_OF_A_RECORD
    if len(read_list(root.get("claims", []), "claims")) > most:
        raise RecordError("too_many_actions", f"claims[{most}]", most=most)
    return record, read_claims(root, record)


def _checked(record: Record) -> Record:
    if len(record.entries) > settings.MOST_ACTIONS_OF_A_RECORD:
        path = f"actions[{settings.MOST_ACTIONS_OF_A_RECORD}]"
        raise RecordError("too_many_actions", path, most=settings.MOST_ACTIONS_OF_A_RECORD)
    for _ in replay(record):
        pass
    return record


def keep_upload(*, user: User, data: bytes) -> UploadedRecord:
    """Keep a record for its owner alone.

    Raises RecordError or IllegalRecord for a record that is not valid, and Refused
    (RECORDS_ENOUGH).
    """
    record = read_upload(data)
    with transaction.atomic():
        # Two concurrent forms must not both pass the limit.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        most = settings.RECORDS_OF_A_USER
        if most and UploadedRecord.objects.filter(owner=user).count() >= most:
            raise Refused(Refusal.RECORDS_ENOUGH)
        return UploadedRecord.objects.create(
            owner=user,
            text=data.decode("utf-8-sig"),
            edition=record.edition,
            players=len(record.seats),
            ending="" if record.outcome is None else str(record.outcome.ending),
        )


def names_and_seal(kept: UploadedRecord) -> tuple[list[str], bool]:
    """Return the names of the players in a record, and whether it has a seal. Replays nothing."""
    root = json.loads(kept.text.removeprefix("\ufeff"))
    written = root if "format" in root or "record" not in root else root["record"]
    return names_to_show(written["seats"]), written.get("seal") is not None


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
            "record": json.loads(kept.text),
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
