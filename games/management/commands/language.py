"""`manage.py language`: catalogs for other languages, reports on them, and pseudo-languages.

language new CODE       makes the catalog of a language that the site does not support yet
language report [CODE]  lists what is missing, guessed or wrong in each catalog
language update         updates every catalog from the sources (needs GNU gettext)
language compile        compiles the catalogs that have changed, for the processes that serve
language pseudo         regenerates the pseudo-languages (see PSEUDO_LANGUAGES)
"""

from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from babel import UnknownLocaleError
from babel.messages.pofile import PoFileError
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import to_locale

from config.i18n.catalogs import CatalogError, compile_catalogs
from config.i18n.checking import Fault, Finding, catalog_findings
from config.i18n.pseudo import PSEUDO, pseudo_make, pseudo_sources
from config.i18n.starting import language_start

_SHOWN = 60


class Command(BaseCommand):
    help = "Make catalogs for a language, report what they lack, make the pseudo-languages."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        new = actions.add_parser("new", help="make the catalog of a new language")
        new.add_argument("code", help="its code, as in Django: de, pt-br, zh-hans")
        report = actions.add_parser("report", help="what is missing, guessed or wrong")
        report.add_argument("codes", nargs="*", metavar="code", help="by default every language")
        report.add_argument("--all", action="store_true", help="every finding, however many")
        actions.add_parser("update", help="bring all catalogs up to date with the sources")
        actions.add_parser("compile", help="compile the catalogs that have changed")
        actions.add_parser("pseudo", help="make the pseudo-languages")

    def handle(self, *args: Any, action: str, **options: Any) -> None:
        {
            "new": self._new,
            "report": self._report,
            "update": self._update,
            "compile": self._compile,
            "pseudo": self._pseudo,
        }[action](options)

    def _new(self, options: dict[str, Any]) -> None:
        code = options["code"].lower()
        try:
            made = language_start(code=code, locale_dir=_locale_dir())
        except (UnknownLocaleError, ValueError) as error:
            raise CommandError(f"{code} is no language: {error}") from error
        except FileExistsError as error:
            raise CommandError(f"There is a catalog of {code} already.") from error
        self.stdout.write(f"{made}: translate it, and locale/README.md says what comes next.")

    def _report(self, options: dict[str, Any]) -> None:
        codes = options["codes"] or _languages()
        found_any = False
        for code in codes:
            try:
                found = catalog_findings(locale_dir=_locale_dir(), language=code)
            except (OSError, PoFileError, UnknownLocaleError) as error:
                raise CommandError(f"The catalog of {code} cannot be read: {error}") from error
            found_any = found_any or bool(found)
            self._tell(code, found, most=None if options["all"] else _SHOWN)
        if found_any:
            raise CommandError("Some catalogs are not finished.")

    def _tell(self, code: str, found: list[Finding], most: int | None) -> None:
        counts = Counter(finding.fault for finding in found)
        said = ", ".join(f"{counts[fault]} {fault}" for fault in Fault if counts[fault])
        self.stdout.write(self.style.MIGRATE_HEADING(f"{code}: {said or 'complete'}"))
        for finding in found[:most]:
            context = f" [{finding.context}]" if finding.context else ""
            self.stdout.write(f"  {finding.fault}{context}: {finding.source!r}")
            if finding.translated:
                self.stdout.write(f"      {finding.translated!r}: {finding.why}")
        if most is not None and len(found) > most:
            self.stdout.write(f"  and {len(found) - most} more (--all shows them)")

    def _update(self, options: dict[str, Any]) -> None:
        call_command(
            "makemessages",
            locale=[to_locale(code) for code in _languages()],
            ignore_patterns=[".venv", "data", "tests"],
            add_location="never",
            no_obsolete=True,
            verbosity=0,
        )

    def _compile(self, options: dict[str, Any]) -> None:
        try:
            for folder in settings.LOCALE_PATHS:
                compile_catalogs(Path(folder))
        except CatalogError as error:
            raise CommandError(str(error)) from error

    def _pseudo(self, options: dict[str, Any]) -> None:
        sources = pseudo_sources(_locale_dir())
        for path in pseudo_make(sources=sources, into=settings.PSEUDO_FOLDER):
            self.stdout.write(str(path))


def _locale_dir() -> Path:
    """Return the site's own locale folder. With pseudo-languages, another one comes before it."""
    return Path(settings.LOCALE_PATHS[-1])


def _languages() -> list[str]:
    """Return the languages that have catalogs: not English, the language of the sources."""
    return [code for code, _ in settings.LANGUAGES if code not in PSEUDO and code != "en"]
