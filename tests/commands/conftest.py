"""The library in C, compiled once for the tests of all commands that use it."""

from tests.engine.conftest import compiled, library

__all__ = ["compiled", "library"]
