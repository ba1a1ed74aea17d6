"""`manage.py replay FILE`: retells, prints or verifies a game record. See RECORD.md."""

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
from games.management.retelling import retell
from games.rules.reading import RecordError
from games.rules.record import (
    IllegalRecord,
    Record,
    position_json,
    replay,
    verify,
)
from games.rules.record_file import parse_json, parse_record
from games.rules.seals import Published, read_published, verify_published

_ILLEGAL: Final = 1
_UNREADABLE: Final = 2
_BROKEN_SEAL: Final = 3
# The exit status that a shell reports for a program killed by SIGPIPE.
_READER_LEFT: Final = 141


class Command(BaseCommand):
    """Replays a record. Needs no database and no secret key, and writes no files."""

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
        parser.add_argument(
            "--published",
            metavar="SEAL",
            help="what the table had published of its seal, saved before the end: check that too",
        )
        add_language_argument(parser)

    def handle(self, *args: Any, file: str, language: str, **options: Any) -> None:
        _write_any_letter()
        try:
            with translation.override(language):
                self._read_and_replay(file, language, options)
        except BrokenPipeError:
            _leave_quietly()

    def _read_and_replay(self, file: str, language: str, options: dict[str, Any]) -> None:
        try:
            record = parse_record(self._read(file))
            saved = options["published"]
            published = None if saved is None else read_published(parse_json(self._read(saved)))
            locale = settings.EDITION_LOCALES.get((language, record.edition), language)
            with translation.override(locale):
                self._replay(
                    record,
                    published,
                    as_json=options["json"],
                    verifies=options["verify"] or published is not None,
                )
        except RecordError as error:
            self._fail(_UNREADABLE, wording.record_error(error))
        except IllegalRecord as error:
            self._fail(_ILLEGAL, wording.illegal_record(error))

    def _read(self, file: str) -> bytes:
        try:
            return _bytes_of(file)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            self._fail(
                _UNREADABLE,
                _("Can’t read {file}: {reason}").format(file=file, reason=reason),
            )

    def _replay(
        self, record: Record, published: Published | None, *, as_json: bool, verifies: bool
    ) -> None:
        if verifies:
            self._verify(record, published)
        for line in _json_lines(record) if as_json else retell(record, replay(record)):
            self.stdout.write(line)
        self.stdout.flush()
        if verifies:
            self.stderr.write(_("The seal holds."), self.style.SUCCESS)

    def _verify(self, record: Record, published: Published | None) -> None:
        wrong = verify(record)
        if published is not None and record.seal is not None:
            wrong += verify_published(record.seal, published)
        for number, attempt in enumerate(record.seal.attempts if record.seal else (), start=1):
            sentence = _("Deal {number} was called off. No answer from: {names}.")
            names = wording.listed([record.seats[seat] for seat in attempt.missing])
            self.stderr.write(sentence.format(number=number, names=names))
        if record.seal is not None and record.seal.is_of_server_alone:
            self.stderr.write(
                _(
                    "No player’s browser took part in this deal, so you’re trusting this "
                    "site with the shuffle."
                )
            )
        if wrong:
            sentence = _("{place}: this isn’t what the seal gives.")
            self._fail(_BROKEN_SEAL, "\n".join(sentence.format(place=place) for place in wrong))

    def _fail(self, status: int, message: str) -> NoReturn:
        """Print the message on standard error, after all output so far, and exit with `status`."""
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
    """Escape characters that the terminal's encoding lacks, so that names in any script print."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _leave_quietly() -> None:
    # Python would flush again on exit, into the closed pipe.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(_READER_LEFT)
