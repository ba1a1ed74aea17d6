"""`manage.py dump`: writes the dump of a month, for the page /dumps/ or into a file."""

import sys
from argparse import ArgumentParser
from datetime import date, timedelta
from hashlib import sha256
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from config.db.commands import open_database
from games.management.progress import Progress
from games.services.dumps import dump_lines, write_dump, zipped


class Command(BaseCommand):
    """A worker does the same on the first of each month, for the month before."""

    help = "Write all public games that ended in a month as gzipped JSON lines."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--month", help="YYYY-MM; the month before this one by default")
        parser.add_argument("--out", help="write this file, - for standard output, and keep none")

    def handle(self, *args: Any, month: str | None, out: str | None, **options: Any) -> None:
        first = _month(month)
        open_database(self)
        bar: list[Progress] = []

        def show(done: int, total: int) -> None:
            bar[:] = bar or [Progress(max(total, 1), sys.stderr)]
            bar[0].show(done)

        def clear() -> None:
            for shown in bar:
                shown.clear()

        if out is None:
            dump = write_dump(month=first, progress=show)
            clear()
            self.stdout.write(f"{dump}: {dump.games} games, SHA-256 {dump.sha256}")
            return
        digest = sha256()
        try:
            with sys.stdout.buffer if out == "-" else open(out, "wb") as file:
                for piece in zipped(dump_lines(first, show)):
                    digest.update(piece)
                    file.write(piece)
        except OSError as error:
            raise CommandError(f"{out} cannot be written: {error.strerror}.") from error
        clear()
        self.stderr.write(f"SHA-256 {digest.hexdigest()}")


def _month(given: str | None) -> date:
    this = timezone.now().date().replace(day=1)
    if given is None:
        return (this - timedelta(days=1)).replace(day=1)
    try:
        month = date.fromisoformat(f"{given}-01")
    except ValueError:
        raise CommandError("--month is YYYY-MM") from None
    if month > this:
        raise CommandError(f"The month {given} has not begun.")
    return month
