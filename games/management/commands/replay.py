"""`manage.py replay FILE`: tells, prints or verifies a game record. See RECORD.md."""

import io
import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any, Final, NoReturn

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import translation
from django.utils.translation import gettext as _

from games import wording
from games.management.languages import add_language_argument
from games.management.record_file import parse_record
from games.management.retelling import retell
from games.rules.record import (
    IllegalRecord,
    Record,
    RecordError,
    position_json,
    replay,
    verify,
)

_ILLEGAL: Final = 1
_UNREADABLE: Final = 2
_BROKEN_SEAL: Final = 3
# As a shell reports a program that its reader left.
_READER_LEFT: Final = 141


class Command(BaseCommand):
    """Replays a record. Needs no database and no secret key, and writes nothing."""

    help = "Replay a game record: in words, as JSON lines, and against its seal."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the record, or - for standard input")
        parser.add_argument(
            "--json", action="store_true", help="print a JSON object for each position"
        )
        parser.add_argument(
            "--verify", action="store_true", help="check deal and shuffles against the seal first"
        )
        add_language_argument(parser)

    def handle(self, *args: Any, file: str, language: str, **options: Any) -> None:
        _write_any_letter()
        try:
            with translation.override(language):
                self._read_and_replay(file, language, options["json"], options["verify"])
        except BrokenPipeError:
            _leave_quietly()

    def _read_and_replay(self, file: str, language: str, as_json: bool, verifies: bool) -> None:
        try:
            record = self._read(file)
            voice = settings.VOICES.get((language, record.edition), language)
            with translation.override(voice):
                self._replay(record, as_json=as_json, verifies=verifies)
        except RecordError as error:
            self._fail(_UNREADABLE, wording.record_error(error))
        except IllegalRecord as error:
            self._fail(_ILLEGAL, wording.illegal_record(error))

    def _read(self, file: str) -> Record:
        try:
            data = _bytes_of(file)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            self._fail(
                _UNREADABLE,
                _("{file} cannot be read: {reason}").format(file=file, reason=reason),
            )
        return parse_record(data)

    def _replay(self, record: Record, *, as_json: bool, verifies: bool) -> None:
        if verifies:
            self._verify(record)
        for line in _json_lines(record) if as_json else retell(record, replay(record)):
            self.stdout.write(line)
        self.stdout.flush()
        if verifies:
            self.stderr.write(_("The seal holds."), self.style.SUCCESS)

    def _verify(self, record: Record) -> None:
        wrong = verify(record)
        if wrong:
            sentence = _("{place}: this is not what the seal gives.")
            self._fail(_BROKEN_SEAL, "\n".join(sentence.format(place=place) for place in wrong))

    def _fail(self, status: int, message: str) -> NoReturn:
        """Says why on standard error, after all that was printed, and ends the program."""
        self.stdout.flush()
        self.stderr.write(message)
        raise SystemExit(status)


def _bytes_of(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read()
    with open(file, "rb") as opened:
        return opened.read()


def _json_lines(record: Record) -> Iterator[str]:
    for position in replay(record):
        yield json.dumps(position_json(position), ensure_ascii=False)


def _write_any_letter() -> None:
    """Names in any script are printed on any terminal, escaped where it does not know them."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _leave_quietly() -> None:
    # Python would flush once more at the end, into the closed pipe.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(_READER_LEFT)
