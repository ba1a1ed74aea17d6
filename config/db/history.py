"""Updates of a database, and the databases that this version cannot use."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext as _

# The last version that can update the database of any earlier one.
_LAST_COMMIT: Final = "5e870309"
# PostgreSQL's lock of the process that updates or fills the database. Any number does.
_LOCK: Final = 51_087


class WrongDatabase(Exception):
    """A database that this version cannot use; the message says what to do."""


def update_database() -> None:
    """Create or update all tables. Raises WrongDatabase and DatabaseError."""
    with locked_database():
        _refuse_foreign()
        call_command("migrate", interactive=False, verbosity=0)


@contextmanager
def locked_database(*, wait: bool = True) -> Iterator[None]:
    """Keep other processes from updating or restoring the database meanwhile.

    Unless `wait`, raises WrongDatabase if one does so now. SQLite has no such lock; its data folder
    has one.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        if wait:
            cursor.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        else:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [_LOCK])
            if not cursor.fetchone()[0]:
                raise WrongDatabase(
                    _(
                        "Another command is updating or restoring this database now. Try again "
                        "when it has ended. Nothing was changed."
                    )
                )
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_LOCK])


def check_database() -> None:
    """Raise WrongDatabase unless the database is of exactly this version."""
    _refuse_foreign()
    executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise WrongDatabase(
            _(
                "The database is empty, or older than this version of the site. Run "
                "`manage.py prepare` first."
            )
        )


def _refuse_foreign() -> None:
    """Raise WrongDatabase if this version has no way to update the database."""
    connection = connections[DEFAULT_DB_ALIAS]
    loader = MigrationLoader(connection, load=False)
    loader.load_disk()
    on_disk = loader.disk_migrations or {}
    applied = set(MigrationRecorder(connection).applied_migrations())

    known = set(on_disk)
    for migration in on_disk.values():
        known |= set(migration.replaces)
        # If a database has only some of the migrations that another one replaces, nothing can apply
        # the others, since their files are gone. Django would not say so: it leaves the replacement
        # out of its plan and finds nothing to do.
        gone = set(migration.replaces) - set(on_disk)
        if gone & applied and gone - applied:
            raise WrongDatabase(
                _(
                    "The database is from an older version. Start it once with the version of "
                    "commit %(commit)s, then with this one. Nothing was changed."
                )
                % {"commit": _LAST_COMMIT}
            )

    # Migrations of apps that the site no longer has do not matter.
    unknown = sorted(key for key in applied - known if key[0] in loader.migrated_apps)
    if unknown:
        raise WrongDatabase(
            _(
                "The database is from a newer version of the site, which knows the migration "
                "%(migration)s. Start that version, or restore a backup from before the update. "
                "Nothing was changed."
            )
            % {"migration": ".".join(unknown[-1])}
        )
