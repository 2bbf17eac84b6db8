"""The engine's library in C, the installed one or one that is compiled for the tests, and what it solves."""

from __future__ import annotations

import ctypes
import shutil
from pathlib import Path

import pytest

from firmware_host.engine import native
from firmware_host.engine.native.compiling import compile_library
from firmware_host.engine.searching.search_native import declared, search_library
from firmware_host.engine.solving.builder import Distances, build, order
from firmware_host.engine.solving.folder import TableFolder
from firmware_host.games.morris.position import MorrisRules
from firmware_host.games.rulesets import rule_set


@pytest.fixture(scope="session")
def search_in_c(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """Return the library; skip the test if there is none of this version and no compiler either."""
    if (found := search_library()) is not None:
        return found
    path: Path = tmp_path_factory.mktemp("native") / native.LIBRARY.name
    failure = compile_library(native.SOURCES, path)
    if failure is not None:
        pytest.skip(f"the engine's C sources cannot be compiled here: {failure}")
    library = native.load(path)
    assert library is not None
    found = declared(library)
    assert found is not None
    return found


class Silent:
    """A listener that lets the work go on."""

    def progress(self, sector, stage, done, total):
        return False

    def finished(self, sector, summary):
        pass


class Stopping(Silent):
    """A listener that stops the work at its `number`-th call."""

    def __init__(self, number):
        self.left = number

    def progress(self, sector, stage, done, total):
        self.left -= 1
        return self.left < 0


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    target = tmp_path_factory.mktemp("native") / "libmw.so"
    assert compile_library(native.SOURCES, target) is None
    return target


@pytest.fixture
def library(compiled, monkeypatch):
    monkeypatch.setattr(native, "LIBRARY", compiled)
    return compiled


@pytest.fixture(scope="session")
def solutions(tmp_path_factory):
    """Return a folder that keeps what was solved, by its arguments, for all tests of a worker."""
    return tmp_path_factory.mktemp("solutions")


@pytest.fixture
def solved(library, solutions, tmp_path):
    """Return a function that solves the sectors of some rules, and returns rules and folder."""

    def solve(stones, name="standard", settings=(), distances=Distances.NONE):
        rules = rule_set(name, settings)
        assert isinstance(rules, MorrisRules)
        kept = solutions / f"{name} {'-'.join(settings)} {stones} {distances.name}"
        if not kept.exists():
            begun = tmp_path / "begun"
            build(order(TableFolder.of(rules.options, begun), stones, distances), Silent())
            begun.rename(kept)
        shutil.copytree(kept, tmp_path / "tables", dirs_exist_ok=True)
        return rules, TableFolder.of(rules.options, tmp_path / "tables")

    return solve
