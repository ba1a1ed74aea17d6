"""`manage.py rebuild_fairness`: compares the deals of all finished games with chance."""

from typing import Any

from django.core.management.base import BaseCommand

from games.services.fairness import rebuild_fairness


class Command(BaseCommand):
    """A worker does the same each night."""

    help = "Count first candidates, roles and decks of all finished games for the page /fairness/."

    def handle(self, *args: Any, **options: Any) -> None:
        report = rebuild_fairness(progress=lambda games: self.stderr.write(f"{games} games"))
        self.stdout.write(f"{report.games} games counted")
