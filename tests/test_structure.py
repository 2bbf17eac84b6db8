"""Limits that keep each part of the program readable in one go; there are no exceptions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.support.paths import PROJECT, syntax_tree

pytestmark = pytest.mark.style

PACKAGES = ("firmware_host", "hardware", "sim")
TESTS = "tests"
MAX_METHODS = 25
MAX_FUNCTION_LINES = 40

EACH_PACKAGE = pytest.mark.parametrize("package", PACKAGES)


def modules(package: str) -> Iterator[Path]:
    """Yield the modules of a package and of those inside it, but for what npm installed."""
    found = (PROJECT / package).rglob("*.py")
    yield from sorted(path for path in found if "node_modules" not in path.parts)


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the number of lines of a function, from `def` on."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def methods(node: ast.ClassDef) -> int:
    """Return the number of methods, properties included."""
    return sum(isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) for part in node.body)


def too_large(tree: ast.Module) -> Iterator[str]:
    """Yield the classes and functions that break a limit, by name and size."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and methods(node) > MAX_METHODS:
            yield f"{node.name} has {methods(node)} methods"
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and length(node) > MAX_FUNCTION_LINES:
            yield f"{node.name} has {length(node)} lines"


@EACH_PACKAGE
def test_a_package_holds_more_than_one_module(package: str) -> None:
    folders = {path.parent for path in modules(package) if path.name == "__init__.py"} - {PROJECT / package}
    inside = {
        folder: sum(
            at.is_file() and at.suffix != ".pyc" and at.name != "__init__.py" for at in folder.rglob("*")
        )
        for folder in folders
    }
    single = [str(folder.relative_to(PROJECT)) for folder, number in inside.items() if number == 1]
    assert single == [], "a single module needs no folder of its own"


@EACH_PACKAGE
def test_classes_and_functions_are_small(package: str) -> None:
    found = [
        f"{path.relative_to(PROJECT)}: {what}"
        for path in modules(package)
        for what in too_large(syntax_tree(path))
    ]
    assert found == []


def test_classes_of_tests_have_few_methods() -> None:
    found = [
        f"{path.relative_to(PROJECT)}: {node.name} has {methods(node)} methods"
        for path in modules(TESTS)
        for node in ast.walk(syntax_tree(path))
        if isinstance(node, ast.ClassDef) and methods(node) > MAX_METHODS
    ]
    assert found == []


def test_classes_have_names_of_their_own() -> None:
    places: dict[str, list[str]] = {}
    for package in [*PACKAGES, TESTS]:
        for path in modules(package):
            for node in ast.walk(syntax_tree(path)):
                if isinstance(node, ast.ClassDef):
                    places.setdefault(node.name, []).append(f"{path.relative_to(PROJECT)}:{node.lineno}")
    assert len(places) > 1
    assert {name: at for name, at in places.items() if len(at) > 1} == {}


def imported(tree: ast.Module, folders: tuple[str, ...]) -> Iterator[str]:
    """Yield the dotted names that a module in `folders` imports; of `from a import b`, both `a` and `a.b`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            near = folders[: len(folders) + 1 - node.level] if node.level else ()
            origin = ".".join([*near, *filter(None, [node.module])])
            yield from (origin, *(f"{origin}.{alias.name}" for alias in node.names))


def test_no_modules_import_each_other_in_a_circle() -> None:
    at = {
        path: path.relative_to(PROJECT).with_suffix("").parts
        for package in PACKAGES
        for path in modules(package)
    }
    names = {".".join(parts) for parts in at.values()}
    graph = {
        ".".join(parts): names.intersection(imported(syntax_tree(path), parts[:-1]))
        for path, parts in at.items()
        if parts[-1] != "__init__"
    }
    assert any(graph.values())
    TopologicalSorter(graph).prepare()  # raises CycleError with the circle; imports for types alone count


@EACH_PACKAGE
def test_values_are_checked_by_mypy_alone(package: str) -> None:
    found = [str(path) for path in modules(package) if "@dataclass(frozen=True" in path.read_text("utf-8")]
    assert found == [], "use the decorator `frozen` of firmware_host/frozen.py"


def test_no_test_imports_another_test_module() -> None:
    paths = {path: path.relative_to(PROJECT) for path in modules(TESTS)}
    names = {".".join(at.with_suffix("").parts) for at in paths.values() if at.name.startswith("test_")}
    found = {
        f"{at} imports {name}; move what they share to tests/support"
        for path, at in paths.items()
        for name in imported(syntax_tree(path), at.parent.parts)
        if name in names
    }
    assert names
    assert not found, "\n".join(sorted(found))


@pytest.mark.parametrize(
    "text",
    [
        "import tests.web.test_one",
        "from tests.web import test_one",
        "from tests.web.test_one import PARTS",
        "from . import test_one",
        "def late():\n    from ..web.test_one import PARTS",
    ],
)
def test_imported_module_is_named_however_it_is_imported(text: str) -> None:
    assert "tests.web.test_one" in imported(ast.parse(text), ("tests", "web"))


def test_too_large_names_what_breaks_a_limit() -> None:
    class_ = "class Wide:\n" + "    def method(self): ...\n" * (MAX_METHODS + 1)
    function = "async def long():\n" + "    pass\n" * MAX_FUNCTION_LINES
    assert list(too_large(ast.parse(class_ + function))) == ["Wide has 26 methods", "long has 41 lines"]
    just_right = "class Wide:\n" + "    @property\n    def part(self): ...\n" * MAX_METHODS
    assert list(too_large(ast.parse(just_right))) == []
