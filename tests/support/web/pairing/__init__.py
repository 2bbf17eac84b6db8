"""Helpers for tests of how devices are paired."""
