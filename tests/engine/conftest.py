"""The engine's library in C: the installed one, or one that is compiled for the tests."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from firmware_host.engine import native
from firmware_host.engine.native.compiling import compile_library
from firmware_host.engine.searching.search_native import declared


@pytest.fixture(scope="session")
def search_in_c(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """Return the library; skip the test if there is none and no compiler either."""
    library = native.load()
    if library is None:
        path: Path = tmp_path_factory.mktemp("native") / native.LIBRARY.name
        failure = compile_library(native.SOURCES, path)
        library = native.load(path)
        if library is None:
            pytest.skip(f"the engine's C sources cannot be compiled here: {failure}")
    found = declared(library)
    assert found is not None
    return found
