"""Checks for parsed JSON, for all values that a record holds.

Each one returns the value with its type, or raises a RecordError with the path of the value.
"""

from collections.abc import Mapping, Sequence
from typing import Final

_HEX: Final = frozenset("0123456789abcdef")
_LONGEST_SHOWN: Final = 40


class RecordError(ValueError):
    """An error in a record: its `code`, `params`, and a `path` like `actions[3].target`."""

    def __init__(self, code: str, path: str, **params: object) -> None:
        super().__init__(f"{path}: {code} {params}")
        self.code = code
        self.path = path
        self.params = params


def required(item: Mapping[str, object], key: str, path: str) -> object:
    if key not in item:
        raise RecordError("missing", f"{path}.{key}" if path else key)
    return item[key]


def read_object(value: object, path: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise RecordError("not_object", path or ".")
    return value


def read_list(value: object, path: str) -> list[object]:
    if not isinstance(value, list):
        raise RecordError("not_list", path)
    return value


def read_list_of(value: object, path: str, length: int) -> list[object]:
    """Return a list of exactly `length` items."""
    items = read_list(value, path)
    if len(items) != length:
        raise RecordError("wrong_length", path, allowed=length)
    return items


def read_string(item: Mapping[str, object], key: str, path: str) -> str:
    value = required(item, key, path)
    if not isinstance(value, str):
        raise RecordError("not_text", f"{path}.{key}" if path else key)
    return value


def read_boolean(value: object, path: str) -> bool:
    if not isinstance(value, bool):
        raise RecordError("not_boolean", path)
    return value


def read_choice(value: object, path: str, allowed: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise RecordError("not_allowed", path, value=shortened(value), allowed=", ".join(allowed))
    return value


def read_seat(value: object, path: str, seats: int) -> int:
    if type(value) is not int or not 0 <= value < seats:
        raise RecordError("no_such_seat", path, value=shortened(value), last=seats - 1)
    return value


def read_hex(value: object, path: str, digits: int) -> str:
    if not isinstance(value, str) or len(value) != digits or not set(value) <= _HEX:
        raise RecordError("not_hex", path, digits=digits)
    return value


def shortened(value: object) -> str:
    """Return `value` in the form in which an error message shows it."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        # The value is nested too deep, or an integer is too long to write.
        text = f"<{type(value).__name__}>"
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"
