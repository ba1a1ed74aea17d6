"""The tables of a backup, and the versions of the site and of their schema."""

import tomllib

from django.apps import apps
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Model

# Tables with rows before anyone has registered: `migrate`, the clock and visits create them.
_NEVER_EMPTY = {
    *("contenttypes.contenttype", "auth.permission", "auth.group", "auth.group_permissions"),
    *("accounts.audithead", "games.pulse", "sessions.session"),
}


def all_tables() -> list[type[Model]]:
    """Return the model of every table, including many-to-many tables, in a stable order."""
    models = apps.get_models(include_auto_created=True)
    kept = [model for model in models if model._meta.managed and not model._meta.proxy]
    return sorted(kept, key=lambda model: model._meta.db_table)


def tables_of_users() -> list[type[Model]]:
    """Return the models whose tables are empty until a user registers or plays."""
    return [model for model in all_tables() if model._meta.label_lower not in _NEVER_EMPTY]


def site_version() -> str:
    """Return the version of this program, for people."""
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["version"])


def version() -> list[str]:
    """Return the names of this program's migrations, which define the columns of each table."""
    loader = MigrationExecutor(connections[DEFAULT_DB_ALIAS]).loader
    return sorted(f"{app}.{name}" for app, name in loader.disk_migrations)
