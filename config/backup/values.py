"""Converts a column's value to JSON and back."""

from base64 import b64encode
from datetime import date, datetime
from typing import Any

from django.db.models import Field, JSONField


def to_json(field: "Field[Any, Any]", value: Any) -> Any:
    """Return the value as JSON data.

    Raises TypeError for a type that no table has: no backup is better than a wrong one.
    """
    if value is None or isinstance(value, bool | int | float | str) or isinstance(field, JSONField):
        return value
    if isinstance(value, datetime | date):
        # With microseconds, which Django's own encoder drops.
        return value.isoformat()
    if isinstance(value, bytes | memoryview):
        return b64encode(value).decode("ascii")
    raise TypeError(f"{field} holds {type(value)}")


def to_column(field: "Field[Any, Any]", value: Any, connection: Any) -> Any:
    """Return the value for the database's cursor. Raises ValidationError for an invalid one."""
    return field.get_db_prep_save(field.to_python(value), connection)
