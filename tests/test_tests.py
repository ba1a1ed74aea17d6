"""The order of the tests: shared builders have modules of their own, and test modules are short."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
LONGEST = 600
TEST_MODULES = sorted((ROOT / "tests").rglob("test_*.py"))


def imported_by(path: Path) -> set[str]:
    """Return the full names of the modules, and of the names in them, that a module imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level:
            package = path.relative_to(ROOT).parts[: -node.level]
            module = ".".join([*package, *([node.module] if node.module else [])])
            found |= {module} | {f"{module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def test_no_module_imports_a_test_module():
    """Builders that several modules use stand in tests/builders or in a helper module."""
    tests = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in TEST_MODULES}
    wrong = {
        str(path.relative_to(ROOT)): sorted(imported_by(path) & tests)
        for path in sorted((ROOT / "tests").rglob("*.py"))
    }
    assert {path: names for path, names in wrong.items() if names} == {}


def test_no_test_module_is_too_long():
    """A longer one is split by behaviour."""
    lines = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in TEST_MODULES
    }
    assert {path: count for path, count in lines.items() if count > LONGEST} == {}
