"""Updates of a database, and the databases that this version can no longer update."""

from typing import Final

from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext as _

# The last version that can update the database of any earlier one.
_LAST_COMMIT: Final = "5e870309"


class OutdatedDatabase(Exception):
    """A database that another version must update first; the message says which."""


def update_database() -> None:
    """Create or update all tables. Raises OutdatedDatabase and DatabaseError."""
    refuse_outdated()
    call_command("migrate", interactive=False, verbosity=0)


def refuse_outdated() -> None:
    """Raise OutdatedDatabase if this version has no way to update the database."""
    if _is_outdated():
        raise OutdatedDatabase(
            _(
                "The database is from an older version. Start it once with the version of commit "
                "%(commit)s, then with this one. Nothing was changed."
            )
            % {"commit": _LAST_COMMIT}
        )


def _is_outdated() -> bool:
    """Return whether the database has only some of the migrations that another one replaces.

    Their files are gone, so nothing can apply the others. Django would not say so: it leaves the
    replacement out of its plan and finds nothing to do.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    loader = MigrationLoader(connection, load=False)
    loader.load_disk()
    on_disk = loader.disk_migrations or {}
    applied = set(MigrationRecorder(connection).applied_migrations())
    for migration in on_disk.values():
        gone = set(migration.replaces) - set(on_disk)
        if gone & applied and gone - applied:
            return True
    return False
