"""Run the tests that the changed files reach, in seconds: `make check`.

A file has changed if it differs from the commit where this branch left `origin/main` (or `main`), committed
or not. A test is reached if it imports a changed module, directly or through the tests' own helpers, or if
its folder is that of the module's package. DEPTH modules of the program may stand between, none by default:
`make check DEPTH=9` runs nearly everything. Slow tests, and those in a browser, stay out unless they or the
page changed.

Files that are not Python are looked up in READERS.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
PACKAGES = ("firmware_host", "hardware", "sim", "tests")
TESTS = "tests."
SLOW = (
    *("tests/web/page/", "tests/web/panels/", "tests/web/words/"),  # in a browser
    *("tests/crash/", "tests/fuzz/", "tests/integration/", "tests/soak/", "tests/firmware/"),
)
SHARED_FROM = 12  # files: this many are worth a process for each core
# What reads files that are not Python, by how their path begins; the first that fits counts.
READERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "firmware_host/web/static/words/",
        ("tests/web/words", "tests/web/test_static_files.py", "tests/views"),
    ),
    (
        "firmware_host/web/static/",
        ("tests/web/test_static_files.py", "tests/web/page", "tests/web/panels"),
    ),
    ("firmware_host/web/README.md", ("tests/web/test_protocol.py",)),
    ("hardware/firmware/", ("tests/firmware", "tests/hardware/wiring/test_circuit.py")),
    ("hardware/drawings/", ("tests/hardware/drawing",)),
    ("hardware/README.md", ("tests/hardware/test_guide.py", "tests/hardware/drawing/test_files.py")),
    ("hardware/BUILD.md", ("tests/hardware/test_guide.py", "tests/hardware/drawing/test_files.py")),
    ("hardware/CASE.md", ("tests/hardware/test_guide.py",)),
    ("hardware/PARTS.md", ("tests/hardware/test_guide.py", "tests/hardware/drawing/test_files.py")),
    ("tests/hardware/pico/", ("tests/hardware/pico",)),
    ("sim/README.md", ("tests/web/panels/test_breakable.py",)),
    ("systemd/millwright.toml", ("tests/config/test_example_file.py", "tests/systemd")),
    ("systemd/", ("tests/systemd", "tests/hardware/test_libraries.py")),
    ("tests/crash/", ("tests/crash",)),
    (
        "tests/data/",
        ("tests/games/test_perft.py", "tests/store/test_schema.py", "tests/commands/test_cli_games.py"),
    ),
    ("tests/firmware/", ("tests/firmware",)),
    ("tests/scenarios/", ("tests/scenarios",)),
    ("tests/virtual_pi/", ("tests/systemd/test_install_script.py", "tests/virtual_pi")),
    (
        "pyproject.toml",
        ("tests/hardware/test_libraries.py", "tests/systemd/test_lock.py", "tests/virtual_pi"),
    ),
)
"""A change of any other file, such as README.md, reaches no test."""


def git(*arguments: str) -> str:
    """Return what git prints, or nothing where it fails."""
    done = subprocess.run(["git", *arguments], cwd=PROJECT, capture_output=True, text=True, check=False)  # noqa: S603, S607
    return done.stdout.strip()


def changed_files() -> set[str]:
    """Return the files that differ from where this branch began, and those that git does not know yet."""
    bases = (git("merge-base", "HEAD", name) for name in ("origin/main", "origin/HEAD", "main"))
    base = next(filter(None, bases), "HEAD")
    return {
        *git("diff", "--name-only", "--no-renames", base).splitlines(),
        *git("ls-files", "--others", "--exclude-standard").splitlines(),
    }


def module_of(path: str) -> str:
    """Return the module that a Python file holds.

    >>> module_of("firmware_host/games/__init__.py")
    'firmware_host.games'
    """
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def is_test(module: str) -> bool:
    """Return whether pytest finds tests in this module."""
    return module.startswith(TESTS) and module.rpartition(".")[2].startswith("test_")


def tests_of(changed: Iterable[str], depth: int) -> set[str]:
    """Return the files of tests that changed Python modules reach."""
    import grimp

    graph = grimp.build_graph(*PACKAGES)
    reached = {module for module in changed if module in graph.modules}
    edge = set(reached)
    between = 0
    while edge:
        importers = {found for module in edge for found in graph.find_modules_that_directly_import(module)}
        importers |= {found for module in edge for found in _below(module, graph.modules)}
        edge = {found for found in importers - reached if found.startswith(TESTS) or between < depth}
        reached |= edge
        between += any(not module.startswith(TESTS) for module in edge)
    return {module.replace(".", "/") + ".py" for module in reached if is_test(module)}


def _below(module: str, modules: Iterable[str]) -> Iterator[str]:
    """Yield the modules that a changed conftest serves."""
    package, _, name = module.rpartition(".")
    if name == "conftest" and package != "tests":
        yield from (found for found in modules if found.startswith(f"{package}.") and is_test(found))


def readers_of(path: str) -> tuple[str, ...]:
    """Return the tests that read a file that is not Python."""
    return next((tests for start, tests in READERS if path.startswith(start)), ())


def chosen(files: set[str], depth: int) -> list[str]:
    """Return the files and folders of tests to run."""
    python = {path for path in files if path.endswith(".py") and path.split("/")[0] in PACKAGES}
    read = {test for path in files - python for test in readers_of(path)}
    reached = {test for path in python for test in beside(path)} | tests_of(map(module_of, python), depth)
    quick = {test for test in reached if not test.startswith(SLOW)}
    own = {path for path in python if is_test(module_of(path)) and (PROJECT / path).exists()}
    return sorted(read | quick | own)


def beside(path: str) -> set[str]:
    """Return the tests in the folder that mirrors the package of a module."""
    folder = PROJECT / "tests" / Path(path.removeprefix("firmware_host/")).parent
    return {
        str(test.relative_to(PROJECT)) for test in folder.glob("test_*.py") if folder != PROJECT / "tests"
    }


def main(arguments: list[str]) -> int:
    """Run the tests that are chosen, with these arguments of pytest."""
    files = changed_files()
    tests = chosen(files, int(os.environ.get("DEPTH") or 0))
    print(f"{len(files)} files changed; tests: {' '.join(tests) or 'none'}", flush=True)  # noqa: T201
    if not tests:
        return 0
    shared = ["-n", "auto", "--maxprocesses", "8", "--dist", "loadgroup"] if len(tests) >= SHARED_FROM else []
    command = [sys.executable, "-m", "pytest", "-q", *shared, *tests, *arguments]
    return subprocess.run(command, cwd=PROJECT, check=False).returncode  # noqa: S603


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
