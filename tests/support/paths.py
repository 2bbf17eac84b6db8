"""Folders of the checkout that tests read, and the sources in them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).parents[2]
SCENARIOS = PROJECT / "tests" / "scenarios"
DATA = PROJECT / "tests" / "data"
_FOLDERS = ("firmware_host", "hardware", "sim", "systemd", "tests")


def documents() -> Iterator[Path]:
    """Yield every document of the project."""
    yield from sorted(PROJECT.glob("*.md"))
    for folder in _FOLDERS:
        found = sorted((PROJECT / folder).rglob("*.md"))
        yield from (path for path in found if "node_modules" not in path.parts)


@cache
def syntax_tree(path: Path) -> ast.Module:
    """Return the syntax tree of a module, which is parsed once for all tests."""
    return ast.parse(path.read_text("utf-8"))
