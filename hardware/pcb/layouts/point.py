"""The layout of the module at a point: a disc for a bore of 30 mm, its LED 10 mm off the centre.

Wires are soldered from below, so the names of their holes are printed on both sides. A reed stands over hole
2 of S1, its other wire bent back into hole 3. A hall sensor in TO-92 stands on its leads, bent over the
middle: one in S1 backwards, so that its flat face looks up, one in S2 forwards and below it, looking down.
"""

from __future__ import annotations

from hardware.case.measures import MODULE_LED_MM, MODULE_MM
from hardware.case.module import S1_MM
from hardware.pcb.layouts.layout import BoardLayout, PartPlace, Pour, Text

_ACROSS, _ALONG = S1_MM

_CX, _CY = 50.0, 50.0


def _at(x: float, y: float, turn: float = 0, label: tuple[float, float] = (0, 0)) -> PartPlace:
    return PartPlace(_CX + x, _CY + y, turn, label)


def _text(words: str, x: float, y: float, size: float = 0.9) -> Text:
    return Text(words, _CX + x, _CY + y, size, below=True)


def _area(net: str, *corners: tuple[float, float]) -> Pour:
    return Pour(net, tuple((_CX + x, _CY + y) for x, y in corners))


POINT = BoardLayout(
    name="point",
    title="Millwright point",
    places={
        "D1": _at(MODULE_LED_MM, 0, label=(-4.4, 0)),
        "C1": _at(8.5, -4.6, label=(2.9, 0)),
        "J1": _at(-11.2, -4.6, 270),
        "J2": _at(-4.6, -11.2),
        "J3": _at(-6, 11.2),
        "S1": _at(_ACROSS, -_ALONG, label=(7.2, 0)),
        "S2": _at(_ACROSS, _ALONG, label=(7.0, -1.4)),
        "C2": _at(-4.6, 6.2, label=(2.9, 0)),
        "C3": _at(-5.6, -2.4, 90, label=(0, 2.7)),
    },
    pours=(
        _area(
            "5 V",
            *(
                (-12.6, -5.9),
                (-9.6, -5.9),
                (-6.2, -12.5),
                (-3.2, -12.5),
                (-3.2, -8.4),
                (8.6, -8.4),
                (8.6, -0.9),
            ),
            *((6.6, -0.9), (5.4, -3.2), (5.4, -5.6), (-4.4, -5.6), (-9.7, -3.2), (-12.6, -3.2)),
        ),
    ),
    texts=(
        _text("5V", -9.0, -2.4),
        _text("DIN", -8.3, 0),
        _text("GND", -8.3, 4.6),
        _text("DOUT", 0, -9.0),
        _text("5V", -4.6, -9.1, 0.8),
        _text("GND", 4.9, -9.0),
        _text("3V", -6.0, 9.6),
        _text("A", -2.0, 9.6),
        _text("B", 2.0, 9.6),
        _text("GND", 5.8, 9.6),
    ),
    centre=(_CX, _CY),
    radius=MODULE_MM / 2,
)
