"""The engine's library in C: the installed one, or one that is compiled for the tests."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from firmware_host.engine import native
from firmware_host.engine.native.compiling import compile_library
from firmware_host.engine.searching.search_native import declared, search_library


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
