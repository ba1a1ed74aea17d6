"""Reading a record's file: from bytes to a checked record, with the position of any error."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

from games.rules.reading import RecordError
from games.rules.record import Record, read_record

# The place around, and the key or number in it.
_Place = tuple[Any, str | int]
# No record, and no file of another site, is nested so deeply.
_DEEPEST: Final = 40
# Half of a pair, which JSON can write as an escape and UTF-8 cannot encode.
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class _Constant:
    """A number that Python's JSON parser accepts and JSON does not: NaN, Infinity, or 1e999."""

    name: str


class _Repeated(dict[str, Any]):
    """An object in which `key` occurs twice."""

    key: str


def parse_record(data: bytes) -> Record:
    """Return the record in a file's bytes, with its structure checked completely.

    Raises RecordError, also as `parse_json`.
    """
    return read_record(parse_json(data))


def parse_json(data: bytes) -> object:
    """Return the JSON in a file's bytes, checked more strictly than Python does.

    Raises RecordError for data that is not UTF-8, not JSON, or nested too deeply to be read.
    """
    parsed = _parsed(_text(data))
    _check_strictness(parsed)
    return parsed


def _text(data: bytes) -> str:
    try:
        # An editor may have added a byte order mark.
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise RecordError("not_utf8", f"{line}:{column}") from None


def _parsed(text: str) -> object:
    try:
        return json.loads(
            text, parse_constant=_Constant, parse_float=_number, object_pairs_hook=_object
        )
    except json.JSONDecodeError as error:
        raise RecordError("not_json", f"{error.lineno}:{error.colno}") from None
    except RecursionError:
        raise RecordError("too_deep", ".") from None
    except ValueError:
        # An integer with thousands of digits, which Python refuses to parse.
        raise RecordError("number_too_long", ".") from None


def _number(digits: str) -> float | _Constant:
    number = float(digits)
    return number if isfinite(number) else _Constant(digits[:40])


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) == len(pairs):
        return result
    repeated = _Repeated(result)
    counts = Counter(key for key, _ in pairs)
    repeated.key = counts.most_common(1)[0][0]
    return repeated


def _check_strictness(root: object) -> None:
    """Raise RecordError, with the path, for what Python's JSON parser accepts but JSON forbids.

    Not recursive, because a file may be nested deeply. A path is written only for an error: a
    place is the place around it and a key or a number.
    """
    waiting: list[tuple[_Place | None, int, object]] = [(None, 0, root)]
    while waiting:
        place, depth, value = waiting.pop()
        if depth > _DEEPEST:
            raise RecordError("too_deep", ".")
        if isinstance(value, _Repeated):
            raise RecordError("repeated_key", _path((place, value.key)))
        if isinstance(value, _Constant):
            raise RecordError("not_a_json_number", _path(place), value=value.name)
        if isinstance(value, str) and _SURROGATE.search(value):
            raise RecordError("not_unicode", _path(place))
        if isinstance(value, dict):
            if any(map(_SURROGATE.search, value)):
                raise RecordError("not_unicode", _path(place))
            waiting.extend(((place, key), depth + 1, item) for key, item in value.items())
        elif isinstance(value, list):
            waiting.extend(((place, at), depth + 1, item) for at, item in enumerate(value))


def _path(place: _Place | None) -> str:
    parts: list[str] = []
    while place is not None:
        place, part = place
        parts.append(f"[{part}]" if isinstance(part, int) else f".{part}")
    return "".join(reversed(parts)).removeprefix(".") or "."
