"""A pytest plugin that keeps tests with a database, and one case of each parametrized test.

A test that asks for no database is the same on each. Cases that differ only in edition or language
have no locks or SQL statements of their own; cases that differ in words, actions or users rarely
do. `POSTGRES=all` keeps the latter.
"""

import os

import pytest

WORDS = {"edition", "language"}
DATABASES = {"db", "transactional_db"}


def has_database(item: pytest.Item) -> bool:
    names = getattr(item, "fixturenames", [])
    return item.get_closest_marker("django_db") is not None or bool(DATABASES & set(names))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    tried: set[str] = set()
    left = []
    for item in items:
        params = item.callspec.params if hasattr(item, "callspec") else {}
        others = {name: value for name, value in params.items() if name not in WORDS}
        case = item.nodeid.partition("[")[0]
        if os.environ.get("POSTGRES") == "all":
            case = f"{case} {others}"
            is_another = len(others) < len(params)
        else:
            is_another = bool(params)
        if not has_database(item) or (case in tried and is_another):
            left.append(item)
        tried.add(case)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]
