"""Reading files of finished games with claims: gzip'd JSON lines, one game a line."""

import gzip
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from django.utils.translation import gettext as _

from games import wording
from games.inference.corpus import AnnotatedGame, read_game
from games.rules.knowledge import Knowledge
from games.rules.reading import RecordError, read_object, required
from games.rules.record import IllegalRecord, Record, read_record
from games.rules.record_file import parse_json

T = TypeVar("T")


class BadFileError(Exception):
    """A file cannot be used. The message is a translated sentence for the user."""


def read_games(files: Sequence[str]) -> list[AnnotatedGame]:
    """Return the games in all files, in order. Raises BadFileError, with file and line."""
    return _read(files, read_game)


def read_records(files: Sequence[str]) -> list[tuple[Record, tuple[Knowledge, ...]]]:
    """Return the records in all files, in order, with their claims. Raises BadFileError."""
    return _read(files, _record_of)


def _record_of(data: object) -> tuple[Record, tuple[Knowledge, ...]]:
    claims = read_game(data).claims
    return read_record(required(read_object(data, ""), "record", "")), claims


def _read(files: Sequence[str], read: Callable[[object], T]) -> list[T]:
    games: list[T] = []
    for file in files:
        for number, line in enumerate(_lines(file), start=1):
            if not line.strip():
                continue
            try:
                games.append(read(parse_json(line)))
            except RecordError as error:
                raise _bad_line(file, number, wording.record_error(error)) from None
            except IllegalRecord as error:
                raise _bad_line(file, number, wording.illegal_record(error)) from None
    if not games:
        raise BadFileError(_("These files hold no games."))
    return games


def _lines(file: str) -> list[bytes]:
    try:
        return gzip.decompress(Path(file).read_bytes()).splitlines()
    except gzip.BadGzipFile:
        raise BadFileError(_("{file}: this isn’t a gzip file.").format(file=file)) from None
    except (EOFError, zlib.error):
        raise BadFileError(_("{file}: this gzip file is damaged.").format(file=file)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadFileError(
            _("Can’t read {file}: {reason}").format(file=file, reason=reason)
        ) from None


def _bad_line(file: str, number: int, message: str) -> BadFileError:
    return BadFileError(
        _("{file}, line {number}: {message}").format(file=file, number=number, message=message)
    )
