"""Millwright's program: from the magnets of the pieces to the light that answers."""

__version__ = "0.1.0"
