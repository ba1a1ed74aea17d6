"""`manage.py restore FILE`: fills the database from a backup, or leaves it unchanged on errors."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime, timedelta
from pathlib import Path
from time import sleep
from typing import Any, BinaryIO, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.backup.errors import BackupError
from config.backup.file import Reader
from config.backup.reading import read_backup
from config.db.commands import say_database, sqlite_file
from config.db.history import WrongDatabase, locked_database
from config.launcher.data import DataFolder
from config.launcher.errors import PlayError
from games.management.languages import add_language_argument
from games.models import Pulse

# Seconds in which every running process of a site records a pulse.
_PATIENCE: Final = 5.0
# A pulse that is older is that of a site that has stopped.
_FRESH: Final = timedelta(seconds=30)


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
            say_database(self)
            try:
                with _opened(file) as backup:
                    reader = Reader(backup)
                    self.stderr.write(
                        _("A backup of version %(version)s, made at %(date)s.")
                        % {"version": reader.site, "date": reader.made_at},
                        str,
                    )
                    with _locked():
                        _refuse_running_site()
                        rows = read_backup(reader, replace=options["replace"])
            except (BackupError, WrongDatabase, PlayError) as error:
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


@contextmanager
def _locked() -> Iterator[None]:
    """Lock the database against other commands, or an SQLite database against a running `play`.

    A running process caches positions, and would continue with them. Creates an SQLite database,
    private to its owner.
    """
    file = sqlite_file()
    if file is None:
        with locked_database(wait=False):
            yield
        return
    is_in_data_folder = file.parent == Path(settings.DATA_DIR)
    with DataFolder(file.parent).lock() if is_in_data_folder else nullcontext():
        # SQLite says it better if the file cannot be made.
        with suppress(OSError):
            file.touch(0o600)
        yield


def _refuse_running_site() -> None:
    """Raise BackupError if the pulse of any process changes. Wait for it only if one is fresh."""
    if Pulse._meta.db_table not in connection.introspection.table_names():
        return
    before = _pulses()
    recently = timezone.now() - _FRESH
    if any(at > recently for at in before.values()):
        sleep(_PATIENCE)
        if _pulses() != before:
            raise BackupError(
                _("The site is running on this database. Stop all of its processes first.")
            )


def _pulses() -> dict[int, datetime]:
    return dict(Pulse.objects.values_list("pk", "at"))
