"""The output language of a command: the requested one, or the terminal's."""

import os
from argparse import ArgumentParser

from django.conf import settings


def add_language_argument(parser: ArgumentParser) -> None:
    """Add `--language`, one of the site's languages; the default is the environment's."""
    parser.add_argument(
        "--language",
        choices=[code for code, _ in settings.LANGUAGES],
        default=environment_language(),
        help="the language to speak in; by default the terminal's",
    )


def environment_language() -> str:
    """Return the terminal's language if the site supports it, else English.

    As in POSIX, the first of LC_ALL, LC_MESSAGES and LANG that is set decides.
    """
    value = next((os.environ[name] for name in _VARIABLES if os.environ.get(name)), "")
    language = value.partition(".")[0].partition("_")[0].lower()
    return language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
