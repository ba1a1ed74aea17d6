"""Bodies for the forms of the table of access."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import pytest
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

from tests.builders.person import Person
from tests.nightly import NIGHTLY
from tests.secrecy.access_world import undone

FORM = "application/x-www-form-urlencoded"


# Fields that the middleware reads, in the same way at each address.
READ_EVERYWHERE = {"csrfmiddlewaretoken", "lang"}


# Valid values for the other fields, so that one wrong field does not hide another.
PLAUSIBLE = {
    "username": "Zoe",
    "email": "zoe@example.org",
    "login": "Zoe",
    "password": "a long way to Rome",
    "password1": "a long way to Rome",
    "password2": "a long way to Rome",
    "name": "Zoe",
    "reason": "abuse",
    "edition": "en",
    "seats_wanted": "7",
    "pace": "normal",
}


# An address gets this many requests with wrong fields: a long form's fields share them, since a
# form checks each of its fields. `make secrecy` sends each wrong field alone.
MOST_REQUESTS = 4 if NIGHTLY else 1
IS_EACH_ALONE = os.environ.get("FUZZ_FIELDS") == "alone"


def in_groups(fields: list[str]) -> Iterator[list[str]]:
    """Yield the fields in groups; the fields of one group are wrong in the same request."""
    groups = len(fields) if IS_EACH_ALONE else min(len(fields), MOST_REQUESTS)
    for number in range(groups):
        yield fields[number::groups]


class _ReadDict(dict):
    """A plain dictionary of a form, which notes the names that are read from it."""

    names: set[str] = set()

    def get(self, name: Any, default: Any = None) -> Any:
        self.names.add(name)
        return super().get(name, default)


@contextmanager
def fields_read(names: set[str]) -> Iterator[None]:
    """Note the name of each field that any code reads from a form or an address."""
    with pytest.MonkeyPatch.context() as patch:
        for method in ("get", "getlist", "__getitem__", "__contains__"):
            real = getattr(MultiValueDict, method)

            def noted(self: Any, name: Any, *args: Any, _real: Any = real, **kwargs: Any) -> Any:
                if isinstance(self, QueryDict) and isinstance(name, str):
                    names.add(name)
                return _real(self, name, *args, **kwargs)

            patch.setattr(QueryDict, method, noted, raising=False)

        def as_dict(self: QueryDict) -> _ReadDict:
            found = _ReadDict((name, self[name]) for name in self)
            found.names = names
            return found

        patch.setattr(QueryDict, "dict", as_dict)
        yield


def sent(viewer: Person, method: str, path: str, body: bytes = b"") -> int:
    """Return the status of the answer; 500 for an exception. The database is rolled back."""
    token = viewer.client.cookies["csrftoken"].value
    with undone(viewer):
        try:
            return viewer.client.generic(
                method, path, body, FORM, headers={"X-CSRFToken": token}
            ).status_code
        except Exception:  # any exception counts as status 500
            return 500


def body_of(fields: dict[str, str]) -> bytes:
    # The letters are sent raw: percent-encoded, only a third of them would fit.
    return "&".join(f"{quote(name)}={value}" for name, value in fields.items()).encode(
        "utf-8", "surrogatepass"
    )


def fields_of(viewer: Person, method: str, path: str, form: dict[str, str]) -> list[str]:
    """Return the fields that an address reads, whatever the others contain."""
    names: set[str] = set()
    with fields_read(names):
        if method == "GET":
            sent(viewer, "GET", path)
        else:
            sent(viewer, "POST", path)
            plausible = {name: PLAUSIBLE[name] for name in names if name in PLAUSIBLE}
            sent(viewer, "POST", path, body_of(plausible | form))
    return sorted(name for name in names - READ_EVERYWHERE if 0 < len(name) < 100)
