"""`manage.py verify_audit`: check that the audit is as it was written. Exits with 1 if not.

Once a day the log says where the chain ends. Keep such a line where the site's database is not: it
shows what the chain itself cannot, that is rows removed at the end, or a chain written anew with
the site's own key. `--anchor` compares the chain with it.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from accounts.services.audit import Break, find_anchor_break, find_audit_break, head_line, is_anchor
from config.db.commands import open_database


class Command(BaseCommand):
    help = "Verifies the chain of the audit."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--anchor",
            "--head",
            metavar="LINE",
            action="append",
            default=[],
            help='a line of the log ("audit anchor ..."), or one that this command printed; '
            "- reads lines from the standard input; may be given several times",
        )
        parser.add_argument(
            "--start",
            metavar="NUMBER",
            type=int,
            default=1,
            help="the entry to begin with, where those before it were sealed with a lost key",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        open_database(self)
        try:
            _refuse(find_audit_break(start=max(1, options["start"])))
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from None
        anchors = _anchors(options["anchor"])
        for line in anchors:
            _refuse(find_anchor_break(line))
        line = head_line()
        self.stdout.write(f"The chain holds: {line.partition(':')[0]} entries.")
        if anchors:
            self.stdout.write(f"It agrees with every anchor: {len(anchors)}.")
        self.stdout.write(line)


def _anchors(lines: Iterable[str]) -> list[str]:
    """Return the lines with an anchor. Raises CommandError if one of `lines` gives none."""
    found: list[str] = []
    for given in lines:
        those = sys.stdin.read().splitlines() if given == "-" else [given]
        anchors = [line for line in those if is_anchor(line)]
        if not anchors:
            raise CommandError("There is no anchor in what was given.")
        found += anchors
    return found


def _refuse(broken: Break | None) -> None:
    if broken is not None:
        raise CommandError(f"The chain is broken: entry {broken.number} {broken.what}.")
