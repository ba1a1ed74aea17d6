"""The examples in docstrings are right.

Not by `--doctest-modules`: it searches every module of the project, which took a quarter of the
time that each process needs to collect the tests.
"""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = [
    str(path.relative_to(ROOT).with_suffix("")).replace("/", ".").removesuffix(".__init__")
    for package in ("accounts", "config", "games")
    for path in sorted((ROOT / package).rglob("*.py"))
    if not {"static", "migrations"} & set(path.parts) and ">>> " in path.read_text("utf-8")
]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_are_right(module: str) -> None:
    done = doctest.testmod(importlib.import_module(module))
    assert done.attempted and not done.failed
