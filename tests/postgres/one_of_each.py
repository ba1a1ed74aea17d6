"""A plugin of pytest: what is tried in every edition and every language is tried in one here.

Neither has locks or statements of its own. Any other parameter may have: all of those stay.
"""

import pytest

WORDS = {"edition", "language"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    tried: set[str] = set()
    left = []
    for item in items:
        params = item.callspec.params if hasattr(item, "callspec") else {}
        others = {name: value for name, value in params.items() if name not in WORDS}
        case = f"{item.nodeid.partition('[')[0]} {others}"
        if case in tried and len(others) < len(params):
            left.append(item)
        tried.add(case)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]
