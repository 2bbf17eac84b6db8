"""The circuit boards to order as solids: the module at a point, and the controller on the Pi's header.

Invariants: lengths are in millimetres. A module's places count from its middle, x to the right and y up; the
controller's from its rear left corner, x to the right and y to the front, as its drawing has them. A module
with a reed hangs below the lower plate, where its parts stand in an opening that centres them; one with hall
sensors lies on the rim of the same opening, inside the bore.
"""

from __future__ import annotations

from collections.abc import Iterator

from hardware.case.carriers import THICK_MM, THIN_MM
from hardware.case.heights import Heights
from hardware.case.measures import (
    BEND_MM,
    GLASS_MM,
    HALL_BODY_MM,
    MODULE_MM,
    PLAY_MM,
    SLEEVE_MM,
    STAND_MM,
    WIRE_MM,
    Measures,
)
from hardware.case.sensor_types import SensorType
from hardware.case.solids import Prism

BOARD_MM = 1.6
OPENING_MM = 27.0
"""The opening below or above a module; the board rests on its rim."""

S1_MM, PIN_MM = (-2.54, -2.4), 2.54
"""Pin 1 of the first sensor, and the distance of its pins; the second is as far behind the middle."""

REED_MM, BACK_MM = (S1_MM[0] + PIN_MM, S1_MM[1]), (S1_MM[0] + 2 * PIN_MM, S1_MM[1])
"""The middle of a reed's glass, over pin 2, and its wire that is bent back into pin 3."""

SUPPLY_HOLES_MM = (*((-11.2, y) for y in (4.6, 0.0, -4.6)), *((x, 11.2) for x in (-4.6, 0.0, 4.6)))
SENSOR_HOLES_MM = tuple((x, -11.2) for x in (-6.0, -2.0, 2.0, 6.0))
"""The holes for wires from below."""

_LED_MM, _LED_HEIGHT_MM, _TIP_MM, _TAIL_MM, _LEG_MM = 5.0, 1.6, (1.0, 1.0), 2.0, 0.6
"""The LED; the tips of wires above the board, and the solder and bends below it."""

CONTROLLER_MM, PI_IN_CONTROLLER_MM = (100.0, 100.0), (35.0, 2.0)
"""The controller, and the rear left corner of the Pi below it."""

CONTROLLER_ABOVE_MM = 11.0
"""The distance of the controller from the Pi."""

POSTS_MM = ((3.5, 3.5), (3.5, 96.5), (96.5, 96.5))
"""The holes of the controller that are not above those of the Pi: spacers from the lid carry it there."""

USB_C_MM = 27.0
"""The place of the USB-C socket along the left edge."""

CONTROLLER_PARTS = {
    "socket": (-0.9, 22.5, 8.0, 31.5, 3.3),
    "supply terminal": (0.6, 8.9, 11.8, 19.2, 12.0),
    "strip terminals": (0.6, 36.4, 11.8, 86.7, 12.0),
    "fuse": (12.5, 7.3, 37.5, 15.7, 12.0),
    "capacitor": (21.8, 28.8, 32.2, 39.2, 21.0),
    "plugs": (24.5, 57.0, 98.0, 65.0, 13.0),
    "front plugs": (24.5, 84.5, 98.0, 92.5, 13.0),
    "button's pins": (93.5, 21.0, 99.5, 29.5, 14.5),
    "buzzer's pins": (37.5, 30.0, 43.0, 38.0, 14.5),
    "chips": (28.0, 10.0, 99.0, 81.0, 3.0),
}
"""Parts on the controller: left, rear, right and front edge, and height; plugs are plugged in."""

Placed = tuple[str, Prism]


def module_bottom(m: Measures, h: Heights) -> float:
    """Return the height of a module's underside."""
    return h.lower - BOARD_MM if m.sensor is SensorType.REED else h.upper


def wires_top(m: Measures, h: Heights) -> float:
    """Return the height below which wires can cross the points."""
    return min(h.lower, module_bottom(m, h) - _TAIL_MM) if m.has_modules else h.lower


def module_prisms(x: float, y: float, m: Measures, h: Heights) -> Iterator[Placed]:
    """Yield the solids of a module at a place, with its sensors."""
    bottom = module_bottom(m, h)
    top = bottom + BOARD_MM
    yield "module", Prism.disc(x, y, MODULE_MM, bottom, top)
    right, up = m.led_mm
    yield "module's LED", Prism(x + right, y + up, _LED_MM, _LED_MM, 0.0, top, top + _LED_HEIGHT_MM)
    for holes, thick in ((SUPPLY_HOLES_MM, THICK_MM), (SENSOR_HOLES_MM, THIN_MM)):
        for across, along in holes:
            tip, high = _TIP_MM
            yield "module's wires", Prism.disc(x + across, y + along, tip, top, top + high)
            yield "module's wires", Prism.disc(x + across, y + along, thick, bottom - _TAIL_MM, bottom)
    ceiling = h.surface - m.roof_mm - PLAY_MM
    yield from _reed(x, y, top, ceiling, m) if m.sensor is SensorType.REED else _halls(x, y, top, ceiling, m)


def _reed(x: float, y: float, top: float, ceiling: float, m: Measures) -> Iterator[Placed]:
    (right, up), (back, _), bend = REED_MM, BACK_MM, ceiling - WIRE_MM
    half, glass = WIRE_MM / 2, bend - BEND_MM - m.reed_mm
    across = (x + right - half, y + up - half, x + back + half, y + up + half)
    yield "reed's bent wire", Prism.box(*across, bend, ceiling)
    yield "reed's bent wire", Prism.disc(x + right, y + up, WIRE_MM, bend - BEND_MM, bend)
    yield "reed", Prism.disc(x + right, y + up, GLASS_MM, glass, bend - BEND_MM)
    yield "reed's leg", Prism.disc(x + right, y + up, WIRE_MM, min(glass, top) - BOARD_MM, glass)
    yield "reed's bent wire", Prism.disc(x + back, y + up, SLEEVE_MM, top, bend)


def _halls(x: float, y: float, top: float, ceiling: float, m: Measures) -> Iterator[Placed]:
    """Yield one or two sensors, which lie over the middle, one below the other, on legs from both sides."""
    wide, deep, high = HALL_BODY_MM
    for number in range(2 if m.sensor is SensorType.HALL else 1):
        body, row = ceiling - number * high, S1_MM[1] if number == 0 else -S1_MM[1]
        yield "hall sensor", Prism(x, y, wide, deep, 0.0, body - high, body)
        for pin in range(3):
            leg = x + S1_MM[0] + pin * PIN_MM
            yield "hall sensor's legs", Prism.disc(leg, y + row, _LEG_MM, top, body - high / 2)


def longest_reed_on_module_mm(m: Measures, h: Heights) -> float:
    """Return the longest glass that can stand on a module, with its bend right below the inlay."""
    ceiling = h.surface - m.roof_mm - PLAY_MM
    return ceiling - WIRE_MM - BEND_MM - (module_bottom(m, h) + BOARD_MM + STAND_MM)


def controller_prisms(left: float, front: float, under: float) -> Iterator[Placed]:
    """Yield the solids of a controller whose underside is at a height: the board and its parts."""
    wide, deep = CONTROLLER_MM
    top = under + BOARD_MM
    yield "controller", Prism.box(left, front, left + wide, front + deep, under, top)
    for name, (begin, rear, end, near, high) in CONTROLLER_PARTS.items():
        prism = Prism.box(left + begin, front + deep - near, left + end, front + deep - rear, top, top + high)
        yield f"controller's {name}", prism
