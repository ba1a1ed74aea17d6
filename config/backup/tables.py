"""Which tables there are, and of which version."""

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Model

# Rows that a database has before anybody was there: made by `migrate`, the clock, and visits.
_NOBODYS = {
    *("contenttypes.contenttype", "auth.permission", "auth.group", "auth.group_permissions"),
    *("accounts.audithead", "games.pulse", "sessions.session"),
}


def all_tables() -> list[type[Model]]:
    """Every table's model, also those between two others, in an order that never changes."""
    models = apps.get_models(include_auto_created=True)
    kept = [model for model in models if model._meta.managed and not model._meta.proxy]
    return sorted(kept, key=lambda model: model._meta.db_table)


def peoples_tables() -> list[type[Model]]:
    """Those that are empty until somebody registers or plays."""
    return [model for model in all_tables() if model._meta.label_lower not in _NOBODYS]


def version() -> list[str]:
    """The migrations that this program knows: they say what each table's columns are."""
    loader = MigrationExecutor(connections[DEFAULT_DB_ALIAS]).loader
    return sorted(f"{app}.{name}" for app, name in loader.disk_migrations)


def is_migrated() -> bool:
    """Whether the database is of this program's version."""
    executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())
