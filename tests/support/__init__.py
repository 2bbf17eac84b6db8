"""Helpers that tests of several packages share; each folder holds those of its subject."""
