"""`manage.py prepare`: brings the database up to date, once, before anything serves."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import translation

from config.play.errors import PlayError
from config.play.prepare import prepare_database
from games.management.languages import environment_language


class Command(BaseCommand):
    help = "Migrate the database, and give running decisions the time back that an outage took."
    requires_system_checks = []

    def handle(self, **options: Any) -> None:
        with translation.override(environment_language()):
            try:
                if connection.vendor == "sqlite":
                    settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
                prepare_database()
            except PlayError as error:
                raise CommandError(str(error)) from error
