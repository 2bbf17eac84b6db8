"""Millwright's program: from the feel of the pieces to the light that answers."""

__version__ = "0.1.0"
