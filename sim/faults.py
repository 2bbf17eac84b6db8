"""What can be broken in the simulated electronics, and how it is said.

Rules kept here: a description is read whole before anything breaks; one that cannot be read is a HandsError
that names what is wrong and what there is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from firmware_host.errors import HandsError, did_you_mean
from firmware_host.games.layout import Layout, Point
from sim.contacts import Fault


@dataclass(frozen=True, slots=True)
class PointFault:
    """The contacts of a point fail."""

    point: Point
    kind: Fault


@dataclass(frozen=True, slots=True)
class DeadMux:
    """A multiplexer no longer connects anything to its line."""

    chip: int


@dataclass(frozen=True, slots=True)
class UnpluggedLeds:
    """The strip is not there."""


ElectricFault = PointFault | DeadMux | UnpluggedLeds


def read_fault(described: Mapping[str, Any], layout: Layout, chips: int) -> ElectricFault:
    """The fault that `described` means: `{"point": "d6", "kind": "weak"}`, `{"mux": 0, "kind": "dead"}` or
    `{"leds": "unplugged"}`; raises HandsError where it means none on a board with so many chips.
    """
    match described:
        case {"point": str(name), "kind": str(kind), **rest} if not rest:
            if name not in layout.by_name:
                raise HandsError(f"there is no point {name}: {did_you_mean(name, layout.by_name)}")
            return PointFault(layout[name], Fault(_known(kind, [fault.value for fault in Fault], "a sensor")))
        case {"mux": int(chip), "kind": str(kind), **rest} if not rest and not isinstance(chip, bool):
            _known(kind, ["dead"], "a mux")
            if not 0 <= chip < chips:
                raise HandsError(f"there is no mux {chip}: the board has 0 to {chips - 1}")
            return DeadMux(chip)
        case {"leds": str(kind), **rest} if not rest:
            _known(kind, ["unplugged"], "the LEDs")
            return UnpluggedLeds()
    raise HandsError(
        f"{dict(described)} is no fault that the electronics can have: "
        'say {"point": NAME, "kind": KIND}, {"mux": NUMBER, "kind": "dead"} or {"leds": "unplugged"}'
    )


def _known(kind: str, kinds: list[str], where: str) -> str:
    if kind not in kinds:
        raise HandsError(f"{kind} is no fault of {where}: {did_you_mean(kind, kinds)}")
    return kind
