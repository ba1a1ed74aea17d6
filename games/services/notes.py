"""A person's own notes of a table: written by them, read by them, and by nobody else."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import regex
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import Note, Suspicion, Table

# Graphemes: what a reader counts as one letter.
MOST_GRAPHEMES: Final = 2000

_GRAPHEME: Final = regex.compile(r"\X")


class NotesTooLong(Exception):
    """Nothing was written: so many graphemes are too many."""

    def __init__(self, graphemes: int) -> None:
        super().__init__(graphemes)
        self.graphemes = graphemes


@dataclass(frozen=True, slots=True)
class Written:
    """What has become of a save."""

    version: int
    # Whether somebody's other window had written since this one was shown its notes; and the
    # text that stood there then, "" where it was the same.
    is_over_another: bool = False
    overwritten: str = ""


def notes_of(*, table: Table, user: User) -> Note:
    """A person's notes of a table; empty ones where they have none. One statement."""
    note = Note.objects.filter(table=table, user=user).first()
    return note or Note(table=table, user=user)


def note_write(
    *,
    table: Table,
    user: User,
    text: str,
    marks: Mapping[int, str],
    base: int,
    now: datetime | None = None,
) -> Written:
    """Writes a person's notes: the text, and what they take each seat for.

    `base` is the version that the writing window had; what another window wrote since is
    written over, and said. Raises NotesTooLong, and ValueError for marks that there are not.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    # No text of so many graphemes is as long: their marks would be a prank.
    graphemes = sum(1 for _ in _GRAPHEME.finditer(text))
    if graphemes > MOST_GRAPHEMES or len(text) > 8 * MOST_GRAPHEMES:
        raise NotesTooLong(graphemes)
    kept = {str(seat): str(Suspicion(mark)) for seat, mark in sorted(marks.items()) if mark}
    with transaction.atomic():
        note, is_new = Note.objects.select_for_update().get_or_create(
            table=table,
            user=user,
            defaults={"text": "", "marks": {}, "changed_at": now or timezone.now()},
        )
        if (note.text, note.marks) == (text, kept):
            return Written(note.version)
        is_over_another = not is_new and note.version != base
        overwritten = note.text if is_over_another and note.text != text else ""
        note.text, note.marks = text, kept
        note.version += 1
        note.changed_at = now or timezone.now()
        note.save()
    return Written(note.version, is_over_another, overwritten)
