"""`manage.py prepare`: brings database and catalogs up to date, before any process serves.

`--files` is for installing: it compiles the catalogs and compresses the static files.
"""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import translation

from config.launcher.data import DataFolder
from config.launcher.errors import PlayError
from config.launcher.prepare import collect_static, prepare_catalogs, prepare_database
from games.management.languages import environment_language


class Command(BaseCommand):
    help = "Bring database and catalogs up to date, once, before anything serves."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--files",
            action="store_true",
            help="compile catalogs and compress static files; leave the database alone",
        )

    def handle(self, **options: Any) -> None:
        try:
            prepare_catalogs()
            with translation.override(environment_language()):
                if options["files"]:
                    collect_static()
                    return
                if not settings.DATABASE_IS_NAMED:
                    settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
                    DataFolder(settings.DATA_DIR).make_database()
                prepare_database()
        except PlayError as error:
            raise CommandError(str(error)) from error
