"""Imports stand at the head of a module, and every module stands in a room.

An import inside a function hides a circle between two modules. import-linter does not see which
imports stand where, nor modules that nobody has put in a layer.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from accounts.mail.messages import DELIVER_MAIL
from accounts.services.exports import WRITE_EXPORT
from config.celery import app, task_named

ROOT: Final = Path(__file__).parents[1]
OURS: Final = ("games", "accounts", "config")
# What Django and Celery look for at the top of an application.
AT_THE_TOP: Final = {"__init__.py", "admin.py", "apps.py", "tasks.py", "urls.py"}
# These run before the applications are loaded, or load only what a rare case needs.
LATE: Final = {
    "accounts/services/web_push.py: accounts.services.outside",
    "config/i18n/catalogs.py: config.i18n.typesetting",
}


def imported(node: ast.AST) -> list[str]:
    """Return the names of our own modules that a statement imports."""
    match node:
        case ast.Import():
            names = [alias.name for alias in node.names]
        case ast.ImportFrom():
            names = ["games" if node.level else str(node.module)]
        case _:
            return []
    return [name for name in names if name.partition(".")[0] in OURS]


def late_imports(source: str, path: str) -> Iterator[str]:
    """Yield the imports of our own modules that stand in a function other than AppConfig.ready."""
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if path.endswith("/apps.py") and function.name == "ready":
            continue
        for node in ast.walk(function):
            yield from (f"{path}: {name}" for name in imported(node))


def our_files() -> Iterator[Path]:
    for package in OURS:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path


def test_only_ready_imports_our_own_modules_late() -> None:
    found = {
        late
        for path in our_files()
        for late in late_imports(path.read_text(), str(path.relative_to(ROOT)))
    }
    assert not found - LATE


@pytest.mark.parametrize("package", ["games", "accounts"])
def test_every_module_stands_in_a_room(package: str) -> None:
    assert {path.name for path in (ROOT / package).glob("*.py")} <= AT_THE_TOP


def test_the_search_finds_a_late_import_but_not_in_ready() -> None:
    source = "def ready():\n import games.x\ndef go():\n import os\n from games import y"
    assert list(late_imports(source, "games/apps.py")) == ["games/apps.py: games"]
    assert len(list(late_imports(source, "games/models.py"))) == 2


def test_every_task_that_is_sent_by_name_exists() -> None:
    named = {
        node.value
        for path in our_files()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"(games|accounts)\.tasks\.\w+", node.value)
    }
    assert {DELIVER_MAIL, WRITE_EXPORT, "games.tasks.settle_game"} <= named
    app.loader.import_default_modules()
    assert [name for name in sorted(named) if task_named(name).name != name] == []
