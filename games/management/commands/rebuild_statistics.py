"""`manage.py rebuild_statistics`: derives the archive and all statistics from the records."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from config.db.commands import open_database
from games.management.progress import Progress
from games.models import Game
from games.services import archive


class Command(BaseCommand):
    help = "Derive the archive and all statistics from the records. The site may run meanwhile."

    def handle(self, *args: Any, **given: Any) -> None:
        open_database(self)
        ended = Game.objects.filter(ended_at__isnull=False)
        progress = Progress(max(1, ended.count()), sys.stderr)
        done = archive.rebuild(progress.show)
        progress.clear()
        self.stdout.write(f"{done} games read")
