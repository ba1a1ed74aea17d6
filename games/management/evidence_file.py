"""Reading files of finished games with claims: gzip'd JSON lines, one game a line."""

import gzip
import zlib
from collections.abc import Sequence
from pathlib import Path

from django.utils.translation import gettext as _

from games import wording
from games.inference.corpus import AnnotatedGame, read_game
from games.management.record_file import parse_json
from games.rules.reading import RecordError
from games.rules.record import IllegalRecord


class BadFileError(Exception):
    """A file cannot be used. The message is a translated sentence for the user."""


def read_games(files: Sequence[str]) -> list[AnnotatedGame]:
    """Return the games in all files, in order. Raises BadFileError, with file and line."""
    games: list[AnnotatedGame] = []
    for file in files:
        for number, line in enumerate(_lines(file), start=1):
            if not line.strip():
                continue
            try:
                games.append(read_game(parse_json(line)))
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
