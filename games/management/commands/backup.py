"""`manage.py backup FILE`: writes the whole database to one file, while the site runs."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.backup.errors import BackupError
from config.backup.writing import save_backup, write_backup
from config.db.commands import open_database
from config.db.history import WrongDatabase
from games.management.languages import add_language_argument


class Command(BaseCommand):
    help = "Write people, tables and games into one file that only its owner can read."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", metavar="FILE", help="the file to write, or - for standard output"
        )
        parser.add_argument(
            "--overwrite", action="store_true", help="write over a file that is there already"
        )
        add_language_argument(parser)

    def handle(self, *args: Any, file: str, language: str, **options: Any) -> None:
        with translation.override(language):
            open_database(self)
            try:
                if file == "-":
                    rows = write_backup(sys.stdout.buffer)
                    sys.stdout.buffer.flush()
                else:
                    rows = save_backup(Path(file), overwrite=options["overwrite"])
            except (BackupError, WrongDatabase) as error:
                raise CommandError(str(error)) from error
            except (DatabaseError, OSError) as error:
                raise CommandError(
                    _("No backup was made: %(reason)s") % {"reason": str(error).strip()}
                ) from error
            # Not on standard output, which may be the backup itself.
            self.stderr.write(
                ngettext("%(count)s row saved.", "%(count)s rows saved.", rows) % {"count": rows},
                self.style.SUCCESS,
            )
