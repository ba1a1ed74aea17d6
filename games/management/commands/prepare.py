"""`manage.py prepare`: brings the database up to date, once, before any process serves."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import translation

from config.play.data import DataFolder
from config.play.errors import PlayError
from config.play.prepare import prepare_database
from games.management.languages import environment_language


class Command(BaseCommand):
    help = "Bring the database up to date, once, before anything serves."
    requires_system_checks = []

    def handle(self, **options: Any) -> None:
        with translation.override(environment_language()):
            try:
                if not settings.DATABASE_IS_NAMED:
                    settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
                    DataFolder(settings.DATA_DIR).make_database()
                prepare_database()
            except PlayError as error:
                raise CommandError(str(error)) from error
