"""Loads a complete backup file into a database, or nothing of it."""

from collections.abc import Iterable
from typing import Any, Final

from django.core.exceptions import FieldError, ValidationError
from django.core.management.color import no_style
from django.db import DatabaseError, connection, transaction
from django.db.models import Model
from django.utils.translation import gettext as _

from accounts.moderation.audit_protection import unsealed
from config.backup.errors import BackupError
from config.backup.file import FORMAT, Reader
from config.backup.tables import all_tables, tables_of_users, version
from config.backup.values import to_column
from config.db.history import update_database

_ROWS_AT_ONCE: Final = 1000


def read_backup(reader: Reader, *, replace: bool) -> int:
    """Fill the database with a backup's rows. Return their number.

    Creates missing tables. `replace` allows deleting the data that is there already. Raises
    BackupError, and leaves every row as it was, if the file is not a complete backup of this
    version, or if the database contains data and `replace` is false. Raises WrongDatabase.
    """
    _check_version(reader)
    update_database()
    try:
        with transaction.atomic():
            if not replace and _holds_data():
                raise BackupError(
                    _(
                        "This database already holds people or games. To delete them and "
                        "restore the backup, use --replace."
                    )
                )
            return _fill(reader)
    except (DatabaseError, ValidationError, FieldError, TypeError, ValueError) as error:
        raise BackupError(
            _("The database can’t take this backup, so nothing was changed: %(reason)s")
            % {"reason": str(error).strip()}
        ) from error


def _check_version(reader: Reader) -> None:
    if reader.format == FORMAT and reader.version == version():
        return
    raise BackupError(
        _(
            "This backup was made by another version of the site (on %(date)s). Restore it "
            "with that version, then bring the database up to date."
        )
        % {"date": reader.made_at[:10]}
    )


def _holds_data() -> bool:
    return any(model._base_manager.exists() for model in tables_of_users())


def _fill(reader: Reader) -> int:
    models = {model._meta.db_table: model for model in all_tables()}
    with connection.cursor() as cursor:
        # Delete the rows that `migrate` created: they have other IDs in the backup.
        with unsealed(connection):
            for statement in connection.ops.sql_flush(no_style(), list(models)):
                cursor.execute(statement)
        insert = _Insert(models)
        total = 0
        for table, columns, row in reader.rows():
            if row is None:
                insert.begin(cursor, table, columns)
            else:
                insert.row(cursor, row)
                total += 1
        insert.flush(cursor)
        for statement in connection.ops.sequence_reset_sql(no_style(), list(models.values())):
            cursor.execute(statement)
    connection.check_constraints()
    return total


class _Insert:
    """Inserts the rows of one table after the other, in batches."""

    def __init__(self, models: dict[str, type[Model]]) -> None:
        self._models = models
        self._statement = ""
        self._fields: list[Any] = []
        self._rows: list[list[Any]] = []

    def begin(self, cursor: Any, table: str, columns: list[str]) -> None:
        self.flush(cursor)
        model = self._models.get(table)
        fields = {field.column: field for field in model._meta.concrete_fields} if model else {}
        if not fields or set(columns) != set(fields):
            raise BackupError(_("The backup is damaged or incomplete. Nothing was changed."))
        self._fields = [fields[column] for column in columns]
        self._statement = _insert_into(table, columns)

    def row(self, cursor: Any, values: list[Any]) -> None:
        pairs = zip(self._fields, values, strict=True)
        self._rows.append([to_column(field, value, connection) for field, value in pairs])
        if len(self._rows) == _ROWS_AT_ONCE:
            self.flush(cursor)

    def flush(self, cursor: Any) -> None:
        if self._rows:
            cursor.executemany(self._statement, self._rows)
            self._rows = []


def _insert_into(table: str, columns: Iterable[str]) -> str:
    # Safe: the names are those of the site's own models, and quoted.
    quote = connection.ops.quote_name
    names = [quote(column) for column in columns]
    places = ", ".join(["%s"] * len(names))
    return f"INSERT INTO {quote(table)} ({', '.join(names)}) VALUES ({places})"  # noqa: S608
