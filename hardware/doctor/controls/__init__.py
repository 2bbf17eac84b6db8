"""Checks of the parts beside the points."""
