"""The parts of the circuit boards as they are bought: each kind once, for all boards of one game."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.wiring.netlist import Circuit, Component

BARE_CONTROLLERS, BARE_PANELS = 5, 5
"""The fewest that manufacturers make of a board, and of a panel with nine points."""

POINTS_ON_PANEL = 9
_BARE_EUROS, _PANEL_EUROS = (2.0, 25.0), (2.0, 30.0)

_DEAR = 2.5
"""Dearest price of a part over its estimate, in single quantities."""


def board_rows(circuit: Circuit, points: int) -> Iterator[tuple[int, str, str, float, float]]:
    """Yield count, part, remark and both prices of one: the bare boards first, then their parts."""
    yield 1, "controller board, bare", f"the fewest are {BARE_CONTROLLERS}; hardware/pcb", *_BARE_EUROS
    yield 1, "point boards, bare", f"panels of {POINTS_ON_PANEL}, the fewest are {BARE_PANELS}", *_PANEL_EUROS
    found: dict[Component, list[str]] = {}
    count: dict[Component, int] = {}
    for parts, times, prefix in ((circuit.parts, 1, ""), (circuit.module, points, "points' ")):
        for part in parts:
            if part.component.euros:  # wires and sensors are in rows of their own
                found.setdefault(part.component, []).append(f"{prefix}{part.ref}")
                count[part.component] = count.get(part.component, 0) + times
    for component, refs in found.items():
        low = component.euros
        yield count[component], component.order, ", ".join(refs), low * 0.6, low * _DEAR
