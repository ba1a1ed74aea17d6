"""Converts a column's value to JSON and back."""

from types import SimpleNamespace
from typing import Any

from django.db.models import Field, JSONField


def to_json(field: "Field[Any, Any]", value: Any) -> Any:
    """Return the value as JSON data, or as the text that Django's serializers write for it.

    Django's JSON encoder would drop microseconds.
    """
    if value is None or isinstance(value, bool | int | float | str) or isinstance(field, JSONField):
        return value
    # The method takes a model's instance, but reads only this attribute.
    holder: Any = SimpleNamespace(**{field.attname: value})
    return field.value_to_string(holder)


def to_value(field: "Field[Any, Any]", data: Any) -> Any:
    """Return the value that `to_json` gave this data for. Raises ValidationError."""
    return None if data is None else field.to_python(data)


def to_column(field: "Field[Any, Any]", value: Any, connection: Any) -> Any:
    """Return the value for the database's cursor. Raises ValidationError for an invalid one."""
    return field.get_db_prep_save(to_value(field, value), connection)
