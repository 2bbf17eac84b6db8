"""The boards that the drawings of the guide show: the recommended ones."""

from __future__ import annotations

from functools import cache

from firmware_host.games.layout import MORRIS
from firmware_host.games.rulesets import rule_set
from hardware.case.assembly import Assembly
from hardware.case.check import check
from hardware.case.measures import ChipBoard, Measures
from hardware.case.sensor_types import SensorType
from hardware.case.solids import Prism, Solid


@cache
def recommended_board(
    electronics: ChipBoard = ChipBoard.STRIPBOARD, sensor: SensorType = SensorType.REED
) -> Assembly:
    """Return the solids of the recommended board with 24 points."""
    box = rule_set("standard", ()).box
    return check(MORRIS, box, Measures.recommended(MORRIS, box, electronics=electronics, sensor=sensor))


def within(parts: tuple[Solid, ...], left: float, right: float, front: float, back: float) -> list[Solid]:
    """Return parts, or what is left of wood, between four sides; holes stay as they are."""
    kept = []
    for part in parts:
        prism = part.prism
        if prism.right > left and prism.left < right and prism.back > front and prism.front < back:
            cut = Prism.box(
                max(prism.left, left),
                max(prism.front, front),
                min(prism.right, right),
                min(prism.back, back),
                prism.bottom,
                prism.top,
            )
            whole = (
                prism.left >= left and prism.right <= right and prism.front >= front and prism.back <= back
            )
            if whole:
                kept.append(part)
            elif part.holes:
                holes = tuple(h for h in part.holes if cut.holds(h.prism))
                kept.append(Solid(part.name, part.where, cut, holes))
    return kept
