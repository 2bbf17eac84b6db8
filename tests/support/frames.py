"""Frames as tests write them: by the numbers of their readings."""

from __future__ import annotations

from firmware_host.ports import Frame, Reading


def frame_of(*numbers: int) -> Frame:
    """Return the frame whose readings have these numbers, in the layout's order."""
    return tuple(map(Reading, numbers))
