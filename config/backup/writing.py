"""Writes a snapshot of the database to a file while the site runs."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkstemp
from typing import Any, BinaryIO, Final

from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext as _

from config.backup.errors import BackupError
from config.backup.file import Reader, Writer
from config.backup.tables import all_tables, site_version, version
from config.backup.values import to_json
from config.db.history import check_database

_ROWS_AT_ONCE: Final = 2000
# The name of a file that is being written.
_PREFIX, _SUFFIX = ".chancellery-", ".part"


def save_backup(path: Path, *, overwrite: bool) -> int:
    """Write a backup, read it again, and only then give it its name. Return the number of rows.

    Raises BackupError and WrongDatabase.
    """
    with _private_file(path, overwrite=overwrite) as file:
        rows = write_backup(file)
        file.seek(0)
        for _row in Reader(file).rows():
            pass
    return rows


def write_backup(file: BinaryIO) -> int:
    """Write a consistent snapshot of all rows without blocking the site. Return their number.

    Raises BackupError, or WrongDatabase if the database has another version than this program.
    """
    with _snapshot():
        check_database()
        writer = Writer(file, site=site_version(), version=version(), made_at=timezone.now())
        for model in all_tables():
            try:
                _write_table(writer, model)
            except (TypeError, ValueError) as error:
                raise BackupError(
                    _("No backup was made: the table %(table)s can’t be read (%(reason)s).")
                    % {"table": model._meta.db_table, "reason": error}
                ) from error
        writer.close()
    return writer.rows


def _write_table(writer: Writer, model: type[Model]) -> None:
    fields = model._meta.concrete_fields
    writer.table(model._meta.db_table, [str(field.column) for field in fields])
    rows = model._base_manager.order_by("pk").values_list(*(f.attname for f in fields))
    for row in rows.iterator(chunk_size=_ROWS_AT_ONCE):
        writer.row([to_json(field, v) for field, v in zip(fields, row, strict=True)])


@contextmanager
def _private_file(path: Path, *, overwrite: bool) -> Iterator[BinaryIO]:
    """Open a file that only its owner may read, and that appears only if the block succeeds.

    It is synced to the disk. Raises BackupError if the file exists and `overwrite` is false, and if
    there is something else than a file, such as a device.
    """
    try:
        if path.exists() and not (overwrite and path.is_file()):
            raise _exists(path)
        _delete_stale_parts(path.parent)
        descriptor, name = mkstemp(_SUFFIX, _PREFIX, path.parent)
        part = Path(name)
        try:
            with os.fdopen(descriptor, "w+b") as file:
                _lock(file)
                yield file
                file.flush()
                os.fsync(file.fileno())
            if overwrite:
                part.replace(path)
            else:
                # Unlike a rename, `link` fails if another process has created the file meanwhile.
                os.link(part, path)
            _sync_folder(path.parent)
        finally:
            part.unlink(missing_ok=True)
    except FileExistsError as error:
        raise _exists(path) from error
    except OSError as error:
        raise BackupError(
            _("Can’t write %(path)s: %(reason)s.")
            % {"path": path, "reason": error.strerror or error}
        ) from error


def _delete_stale_parts(folder: Path) -> None:
    """Delete what backups left that were killed. One that is being written holds a lock."""
    # Others may write to the folder too: no pipe of theirs may hold up a backup.
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW
    for part in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        with suppress(OSError), open(os.open(part, flags), "rb", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            part.unlink()


def _lock(file: BinaryIO) -> None:
    # On a file system without locks, no other backup can delete this one.
    with suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def _snapshot() -> Iterator[None]:
    """Open a read-only transaction that sees nothing that is committed after its beginning."""
    connection.ensure_connection()
    if connection.vendor == "sqlite":
        # IMMEDIATE, the site's usual mode, would make every move wait for the backup. In WAL mode
        # a reader has a snapshot and blocks no one.
        # Only SQLite's connection has a mode.
        sqlite: Any = connection
        before, sqlite.transaction_mode = sqlite.transaction_mode, "DEFERRED"
        try:
            with transaction.atomic():
                yield
        finally:
            sqlite.transaction_mode = before
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


def _exists(path: Path) -> BackupError:
    return BackupError(
        _("%(path)s already exists. Choose another name, or use --overwrite.") % {"path": path}
    )


def _sync_folder(folder: Path) -> None:
    """Sync the folder: without that, a power cut could lose a new file's name."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
