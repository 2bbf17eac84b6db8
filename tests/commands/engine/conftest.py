"""The library in C, compiled once for the tests of all commands that use it."""

from tests.engine.solving.conftest import compiled, library

__all__ = ["compiled", "library"]
