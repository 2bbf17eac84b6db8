"""Helpers for tests of the link."""
