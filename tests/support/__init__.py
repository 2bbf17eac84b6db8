"""Helpers that tests of several packages share; `hardware` and `web` hold those of these two."""
