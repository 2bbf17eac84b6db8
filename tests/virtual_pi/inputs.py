"""A record of the files that passed in the virtual Pi, so that it runs only when one of them has changed.

Emulating the machine takes a quarter of an hour and more. In `passed`, a file for each part lists a digest of
every file whose behaviour only a real kernel and systemd can show: the drivers, the service and its
installers, the process around the game, the contract that drivers keep, and the machine itself. The rules of
the game, the page and the simulation are tested without a kernel and are not listed.

Invariants:
- Comments, layout and docstrings of Python and settings are ignored: editing them calls for no new run.
- A file that appears or disappears counts as changed.

Usage: inputs.py                 print the digests as they are now
       inputs.py --changed PART  print the files that differ from those with which the part passed, if any
"""

from __future__ import annotations

import ast
import hashlib
import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
FOLDERS = ("hardware", "systemd", "firmware_host/runtime", "tests/virtual_pi", "tests/contract")
# Built, drawn or read by people: none of it reaches the machine.
IGNORED = ("hardware/drawing/", "hardware/drawings/", "hardware/firmware/", "tests/virtual_pi/passed/")
PASSED = HERE / "passed"
RECORD = (HERE / "inputs.py", HERE / "test_inputs.py")
SUFFIXES_IGNORED = (".md", ".pyc")
BUILT_FROM = "pyproject.toml"


def digests(project: Path = PROJECT) -> dict[str, str]:
    """Return the digest of each input, by its path in the project."""
    found = {str(path.relative_to(project)): digest(path) for path in sorted(_inputs(project))}
    return {**found, BUILT_FROM: _sha256(_installation(project / BUILT_FROM))}


def changed(before: dict[str, str], now: dict[str, str]) -> list[str]:
    """Return the paths whose digests differ, including those that only one of the two has."""
    return sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))


def digest(path: Path) -> str:
    """Return the digest of a file; that of Python and of settings leaves out comments."""
    content = path.read_bytes()
    if path.suffix == ".py":
        return _sha256(_code(content))
    if path.suffix == ".toml":
        return _sha256(json.dumps(tomllib.loads(content.decode()), sort_keys=True).encode())
    return _sha256(content)


def parse(text: str) -> dict[str, str]:
    """Return the digests that a file in `passed` lists."""
    return {path: value for value, path in (line.split(maxsplit=1) for line in text.splitlines())}


def _inputs(project: Path) -> Iterator[Path]:
    for folder in FOLDERS:
        for path in (project / folder).rglob("*"):
            name = str(path.relative_to(project))
            ignored = path.suffix in SUFFIXES_IGNORED or name.startswith(IGNORED) or path in RECORD
            if path.is_file() and not ignored:
                yield path


def _code(content: bytes) -> bytes:
    """Return a program without its comments, layout and docstrings."""
    tree = ast.parse(content)
    for node in ast.walk(tree):
        # A docstring, and likewise the text under a constant that describes it: expressions without effect.
        for body in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
            if isinstance(body, list):
                body[:] = [one for one in body if not _is_text(one)]
    return ast.unparse(tree).encode()


def _is_text(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _installation(path: Path) -> bytes:
    """Return what pyproject.toml says of the installed program: its dependencies, commands and files."""
    settings = tomllib.loads(path.read_text("utf-8"))
    project = settings["project"]
    extras = {name: project["optional-dependencies"][name] for name in ("pio", "pwm")}
    said = [project["dependencies"], extras, project["scripts"], project["requires-python"]]
    return json.dumps([*said, settings["tool"]["hatch"], settings["build-system"]], sort_keys=True).encode()


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def main(arguments: list[str]) -> None:
    """Print the digests, or what has changed since a part passed."""
    now = digests()
    if arguments[:1] == ["--changed"]:
        record = PASSED / arguments[1]
        before = parse(record.read_text("utf-8")) if record.exists() else {}
        for path in changed(before, now):
            print(path)  # noqa: T201
        return
    for path, value in now.items():
        print(value, path)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
