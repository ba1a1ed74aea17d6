"""`manage.py rebuild_ratings`: counts all rated games from nothing."""

import sys
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from config.db.commands import open_database
from games.management.progress import Progress
from games.models import RatedGame
from games.services import ratings


class Command(BaseCommand):
    help = "Count all rated games from nothing. The site may run meanwhile."

    def handle(self, *args: Any, **given: Any) -> None:
        open_database(self)
        for_nothing = (RatedGame.State.REFUSED, RatedGame.State.WITHDRAWN)
        progress = Progress(
            max(1, RatedGame.objects.exclude(state__in=for_nothing).count()), sys.stderr
        )
        done = ratings.rebuild(progress.show)
        progress.clear()
        self.stdout.write(_("Ratings from {games} games.").format(games=done))
