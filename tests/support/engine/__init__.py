"""Helpers for tests of the engine: tables, positions and processes."""
