"""The heights of a board's layers, counted from the underside of its lid."""

from __future__ import annotations

from typing import NamedTuple

from hardware.case.measures import Measures


class Heights(NamedTuple):
    """The undersides of frame, lower plate and upper plate, and the surface that pieces stand on."""

    frame: float
    lower: float
    upper: float
    surface: float

    @classmethod
    def of(cls, m: Measures) -> Heights:
        """Return the heights of a board's layers."""
        lower = m.lid_mm + m.frame_height_mm
        upper = lower + m.lower_mm
        return cls(m.lid_mm, lower, upper, upper + m.upper_mm)
