"""`manage.py restore FILE`: fills the database from a backup, or leaves it unchanged on errors."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.backup.errors import BackupError
from config.backup.reading import read_backup
from config.db.history import OutdatedDatabase
from config.launcher.data import DataFolder
from config.launcher.errors import PlayError
from games.management.languages import add_language_argument


class Command(BaseCommand):
    help = "Fill the database from a backup. Stop the site before, and start it after."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the backup, or - for standard input")
        parser.add_argument(
            "--replace", action="store_true", help="delete what is in the database before"
        )
        add_language_argument(parser)

    def handle(self, *args: Any, file: str, language: str, **options: Any) -> None:
        with translation.override(language):
            try:
                with _opened(file) as backup, _nobody_playing():
                    rows = read_backup(backup, replace=options["replace"])
            except (BackupError, OutdatedDatabase, PlayError) as error:
                raise CommandError(str(error)) from error
            except DatabaseError as error:
                raise CommandError(
                    _("Can’t prepare the database: %(reason)s") % {"reason": str(error).strip()}
                ) from error
            self.stderr.write(
                ngettext("%(count)s row restored.", "%(count)s rows restored.", rows)
                % {"count": rows},
                self.style.SUCCESS,
            )


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        backup = Path(file).open("rb")  # noqa: SIM115  closed below
    except OSError as error:
        raise BackupError(
            _("Can’t read {file}: {reason}").format(file=file, reason=error.strerror)
        ) from error
    with backup:
        yield backup


def _nobody_playing() -> Any:
    """Create the data folder of an SQLite database, and lock it against a running `play`.

    A running process caches positions, and would continue with them.
    """
    if connection.vendor != "sqlite":
        return nullcontext()
    path = Path(str(connection.settings_dict["NAME"])).absolute()
    if path.parent != Path(settings.DATA_DIR):
        return nullcontext()
    return DataFolder(path.parent).lock()
