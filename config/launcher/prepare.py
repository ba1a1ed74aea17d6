"""The work before the processes start. It is quicker inside the supervisor's own process."""

import fcntl
import hashlib
from pathlib import Path

import django
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import DatabaseError, connections
from django.utils.translation import gettext as _

from config.db.history import WrongDatabase, update_database
from config.i18n.catalogs import CatalogError, compile_catalogs
from config.launcher.errors import PlayError


def prepare_catalogs() -> None:
    """Compile the message catalogs that have changed. Raises PlayError."""
    try:
        for folder in settings.LOCALE_PATHS:
            compile_catalogs(Path(folder))
    except CatalogError as error:
        raise PlayError(str(error)) from error


def prepare_database() -> None:
    """Create or update all tables. Raises PlayError."""
    try:
        update_database()
    except WrongDatabase as error:
        raise PlayError(str(error)) from error
    except DatabaseError as error:
        raise PlayError(
            _("Can’t prepare the database: %(reason)s") % {"reason": str(error).strip()}
        ) from error
    finally:
        # The supervisor does not use the database again, and must not keep open what others write.
        connections.close_all()


def collect_static() -> None:
    """Copy, fingerprint and compress the static files, unless none has changed.

    An installation does it, so that a first start is quick; Django would hash and compress all of
    them again at each start. Raises PlayError.
    """
    folder = Path(settings.STATIC_ROOT)
    stamp = folder.with_suffix(".stamp")
    if _is_collected(stamp):
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with folder.with_suffix(".lock").open("w") as lock:
            # Another site may start from the same files now, with other data.
            fcntl.flock(lock, fcntl.LOCK_EX)
            if _is_collected(stamp):
                return
            # An interrupted copy must not look complete.
            stamp.unlink(missing_ok=True)
            call_command("collectstatic", interactive=False, verbosity=0)
            stamp.write_text(_fingerprint(), encoding="ascii")
    except OSError as error:
        raise PlayError(
            _("Can’t copy the static files to %(path)s: %(reason)s.")
            % {"path": folder, "reason": error.strerror}
        ) from error


def _is_collected(stamp: Path) -> bool:
    return stamp.is_file() and stamp.read_text(encoding="ascii") == _fingerprint()


def _fingerprint() -> str:
    digest = hashlib.sha256(django.__version__.encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name}\0{status.st_mtime_ns}\0{status.st_size}\n".encode())
    return digest.hexdigest()
