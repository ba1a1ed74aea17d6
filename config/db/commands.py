"""What a management command says and checks before it works with the site's data."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.utils.translation import gettext as _

from config.db.history import WrongDatabase, check_database


def open_database(command: BaseCommand) -> None:
    """Say on standard error which database the command uses.

    Raises CommandError, and creates nothing, if there is none, or not one of this version.
    """
    say_database(command)
    file = sqlite_file()
    if file is not None and not file.is_file():
        raise CommandError(
            _(
                "There is no database at %(path)s. Set CHANCELLERY_DATA to the site’s data folder, "
                "or DATABASE_URL."
            )
            % {"path": file}
        )
    try:
        check_database()
    except WrongDatabase as error:
        raise CommandError(str(error)) from error
    except DatabaseError as error:
        raise CommandError(
            _("Can’t use the database: %(reason)s") % {"reason": str(error).strip()}
        ) from error


def say_database(command: BaseCommand) -> None:
    """Say on standard error which database the command uses, without its password.

    `str` keeps it from looking like an error.
    """
    command.stderr.write(_("Database: %(name)s") % {"name": _name_of_database()}, str)


def _name_of_database() -> str:
    file = sqlite_file()
    if file is not None:
        return str(file)
    given = connection.settings_dict
    host = given["HOST"] or given["OPTIONS"].get("host") or "localhost"
    return f"{connection.display_name}, {given['NAME']} at {host}"


def sqlite_file() -> Path | None:
    """Return the database's file, or None if it is on a server or in a test's memory."""
    # Only SQLite's connection has the method.
    is_in_memory = getattr(connection, "is_in_memory_db", None)
    if is_in_memory is None or is_in_memory():
        return None
    return Path(str(connection.settings_dict["NAME"])).absolute()
