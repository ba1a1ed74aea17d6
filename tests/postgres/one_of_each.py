"""A plugin of pytest: of what is tried with many words, stages or people, one is tried here.

Which of them it is, SQLite has shown to make no difference to the rules; the database meets the
same statements and the same locks with each.
"""

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    tried: set[str] = set()
    left = []
    for item in items:
        name = item.nodeid.partition("[")[0]
        if name in tried:
            left.append(item)
        tried.add(name)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]
