"""Helpers for tests of drivers, set-up and doctor."""
