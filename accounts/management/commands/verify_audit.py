"""`manage.py verify_audit`: whether the audit is as it was written. Ends with 1 where it is not.

The head that it prints is worth keeping elsewhere: who can rewrite the whole chain cannot
rewrite a line in somebody's notebook. `--head` compares with such a line.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import AuditEntry, AuditHead
from accounts.services.audit import audit_break


class Command(BaseCommand):
    help = "Verifies the chain of the audit."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--head", metavar="NUMBER:DIGEST", help="a line that this command printed before"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        broken = audit_break()
        if broken is not None:
            raise CommandError(f"The chain is broken: entry {broken.number} {broken.what}.")
        if options["head"]:
            number, _, digest = options["head"].partition(":")
            known = number.isdecimal() and len(number) < 18
            if not known or not AuditEntry.objects.filter(number=number, digest=digest).exists():
                raise CommandError(f"The chain is another: it has no entry {options['head']}.")
        head = AuditHead.objects.filter(pk=1).first() or AuditHead()
        self.stdout.write(f"The chain holds: {head.number} entries.")
        self.stdout.write(f"{head.number}:{head.digest}")
