"""Compiles the message catalogs, so that the site runs without gettext's tools.

Only the `.po` files are kept in Git. Compiling is a step of the build: `make` and the Dockerfile
run `manage.py language compile`, and `play`, `prepare` and the tests compile what has changed
since. A process that serves users refuses to start with an old or missing catalog
(config/serving/required_settings.py); other commands speak English then.
"""

import logging
import os
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import NamedTemporaryFile

logger = logging.getLogger(__name__)


class CatalogError(Exception):
    """A catalog cannot be read, or its compiled form cannot be written."""


def compile_catalogs(locale_dir: Path) -> list[Path]:
    """Compile each catalog whose `.mo` is missing or older. Return the paths of new `.mo` files.

    Raises CatalogError.
    """
    compiled = []
    for source in stale_catalogs(locale_dir):
        target = source.with_suffix(".mo")
        try:
            _compile(source, target)
        except (OSError, ValueError) as error:
            raise CatalogError(f"{source} cannot be compiled: {error}") from error
        compiled.append(target)
    return compiled


def stale_catalogs(locale_dir: Path) -> list[Path]:
    """Return the `.po` files whose `.mo` is missing or older; one `stat` of each."""
    return [path for path in sorted(locale_dir.glob("*/LC_MESSAGES/*.po")) if _is_stale(path)]


def _is_stale(source: Path) -> bool:
    try:
        return source.with_suffix(".mo").stat().st_mtime_ns < source.stat().st_mtime_ns
    except FileNotFoundError:
        return True


def _compile(source: Path, target: Path) -> None:
    """Compile `source` to `target`.

    Writes a temporary file and renames it: two processes may compile at the same time.
    """
    # Imported here, so that only processes that compile pay for it.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    from config.i18n.typesetting import typeset

    # Read the time before the catalog: if it is saved meanwhile, it is newer and compiled again.
    saved_at = source.stat().st_mtime_ns
    language = source.parent.parent.name
    # Babel prints its complaints, but standard output belongs to the command.
    with source.open("rb") as file, redirect_stdout(StringIO()) as complaints:
        catalog = read_po(file)
    if complaints.getvalue():
        logger.warning("%s:\n%s", source, complaints.getvalue().rstrip())
    for message in list(catalog):
        # Babel would fill a half-translated plural with English. In an edition's catalog, which
        # contains only differences from its language's, that would hide the language's translation.
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
            # `write_mo` omits fuzzy entries: a guess is worse than English.
            write_mo(file, catalog)
            file.flush()
            os.utime(file.name, ns=(saved_at, saved_at))
            os.chmod(file.name, 0o644)
            os.replace(file.name, target)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
