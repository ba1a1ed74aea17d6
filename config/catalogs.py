"""Compiles the message catalogs, so that nobody needs gettext's tools to play.

The `.po` files are the source and the only ones kept in Git. `GamesConfig.ready` calls
this in every process, before the first sentence is looked up: where all is compiled
it costs one `stat` a file. Where the source tree cannot be written to and a `.mo` is not there,
that language reads English; a deployment that serves from a read-only tree compiles
when it builds its image (any `manage.py` command does).
"""

import logging
import os
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import NamedTemporaryFile

logger = logging.getLogger(__name__)


def compile_catalogs(locale_dir: Path) -> list[Path]:
    """Compiles each catalog that has no `.mo` as new as itself; says which it compiled."""
    compiled = []
    for source in sorted(locale_dir.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        try:
            if not _is_stale(source, target):
                continue
            _compile(source, target)
        except OSError as error:
            # A read-only tree, a full disk: the site speaks English rather than not at all.
            logger.debug("%s is not compiled: %s", source, error)
        except ValueError as error:
            logger.warning("%s is not a catalog: %s", source, error)
        else:
            compiled.append(target)
    return compiled


def _is_stale(source: Path, target: Path) -> bool:
    try:
        return target.stat().st_mtime_ns < source.stat().st_mtime_ns
    except FileNotFoundError:
        return True


def _compile(source: Path, target: Path) -> None:
    """Writes beside the target and renames: two processes may do this at the same time."""
    # Only who compiles pays for the import.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    from config.language.typesetting import typeset

    # Taken before the reading: a catalog saved meanwhile is newer, and is compiled again.
    saved_at = source.stat().st_mtime_ns
    language = source.parent.parent.name
    # Babel prints what it thinks of a catalog; standard output is the command's own.
    with source.open("rb") as file, redirect_stdout(StringIO()) as complaints:
        catalog = read_po(file)
    if complaints.getvalue():
        logger.warning("%s:\n%s", source, complaints.getvalue().rstrip())
    for message in list(catalog):
        # Babel would fill a half-translated plural with English, which in a catalog that
        # says only what differs from another would hide the other's translation.
        if message.id and message.pluralizable and not all(message.string or ()):
            catalog.delete(message.id, message.context)
        elif message.id and message.string:
            message.string = (
                typeset(message.string, language)
                if isinstance(message.string, str)
                else tuple(typeset(form, language) for form in message.string)
            )
    with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
        try:
            # Leaves fuzzy entries out: a guess is worse than English.
            write_mo(file, catalog)
            file.flush()
            os.utime(file.name, ns=(saved_at, saved_at))
            os.chmod(file.name, 0o644)
            os.replace(file.name, target)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
