"""Users' private notes on a table, which only their author can read."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from config.http.bounds import LONGEST_TEXT, bounded, count_graphemes
from games.models import Note, Suspicion, Table

# In graphemes: what readers count as one letter.
MOST_GRAPHEMES: Final = 2000


class NotesTooLong(Exception):
    """The notes exceed the limit; nothing was saved. `graphemes` is their length."""

    def __init__(self, graphemes: int) -> None:
        super().__init__(graphemes)
        self.graphemes = graphemes


@dataclass(frozen=True, slots=True)
class Written:
    """The result of a save."""

    version: int
    # Whether another window of the user had saved since this one loaded its notes, and the text
    # that it had saved, "" if the text was the same.
    is_over_another: bool = False
    overwritten: str = ""


def notes_of(*, table: Table, user: User) -> Note:
    """Return the user's notes on a table, or empty ones if there are none. Runs one query."""
    note = Note.objects.filter(table=table, user=user).first()
    return note or Note(table=table, user=user)


def write_note(
    *,
    table: Table,
    user: User,
    text: str,
    marks: Mapping[int, str],
    base: int,
    now: datetime | None = None,
) -> Written:
    """Save the user's notes: the text, and what they suspect each seat to be.

    `base` is the version that the saving window had loaded. What another window has saved since is
    overwritten, and returned. Raises NotesTooLong, and ValueError for unknown marks.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    graphemes = count_graphemes(bounded(text, LONGEST_TEXT))
    # Ordinary text of this many graphemes is never as long; only a prank with stacked combining
    # marks is.
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
