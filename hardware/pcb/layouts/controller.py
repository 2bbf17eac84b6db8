"""The layout of the controller: 100 x 100 mm, with the Pi below its right part.

The header's pins are where a Pi has them from its own edge, which lies 2 mm inside the board's: so 5 V is
more than 3 mm wide between that edge and the header. No hole is at the Pi's corner beside pin 1, because 5 V
passes there. At the right the board ends before the Pi's USB and network sockets; no part with wires through
the board is above the pins for power over Ethernet.
"""

from __future__ import annotations

from collections.abc import Iterator

from hardware.pcb.layouts.layout import BoardLayout, PartPlace, Pour, Text

WIDTH, HEIGHT = 100.0, 100.0
PIN_1 = (43.37, 6.77)
"""Pin 1 of the header."""

PI_HOLES = ((96.5, 5.5), (38.5, 54.5), (96.5, 54.5))
"""Three of the Pi's four holes; the fourth would be at (38.5, 5.5)."""

_PLUGS = (27.0, 52.0, 77.0)
"""Pin 1 of the plugs for the points, in both rows."""

_FEEDS = {"J12": 39.0, "J11": 56.5, "J10": 74.0}
"""The terminals of the strip at the left edge."""


def _muxes() -> Iterator[tuple[str, PartPlace]]:
    """Yield six multiplexers, each with its capacitor above and its plug below."""
    for number in range(6):
        x, row = _PLUGS[number % 3], number // 3
        chip, plug = ((75.0, 88.5), (46.0, 61.0))[row]
        yield f"U{1 + number}", PartPlace(x + 9, chip, label=(-2.4, -6.1))
        yield f"C{1 + number}", PartPlace(x + 12.9, chip - 6.6, label=(3.4, 0))
        yield f"J{2 + number}", PartPlace(x, plug, label=(-0.2, -3.2))


def _signals() -> Iterator[tuple[str, PartPlace]]:
    """Yield the resistors of the signal lines, below the header."""
    for number in range(6):
        x = 64.0 + 4.5 * number
        yield f"R{5 + number}", PartPlace(x, 14.0, label=(0, -1.7))
        yield f"R{13 + number}", PartPlace(x, 19.0, label=(0, -1.7))


_PLACES = {
    "J1": PartPlace(*PIN_1, label=(51.0, 0.9), below=True),
    "J8": PartPlace(2.825, 27, 270, label=(7.6, -4.3)),
    "R1": PartPlace(10.2, 21.3, label=(3.1, 0)),
    "R2": PartPlace(10.2, 32.6, label=(3.1, 0)),
    "F1": PartPlace(14.5, 27, label=(0, -3.8)),
    "J9": PartPlace(6.2, 11.5, 270, label=(4.2, -3.9)),
    "F2": PartPlace(15, 11.5, label=(10, 0)),
    "Q2": PartPlace(31, 19, 90, label=(-4.6, 0)),
    "R12": PartPlace(35.8, 21.48, label=(0, -1.7)),
    "D1": PartPlace(35.3, 34.9, 270, label=(-3.0, 3.6)),
    "C11": PartPlace(27, 31.5, 270, label=(-6.2, 6.0)),
    "U9": PartPlace(52, 15, label=(6.0, 3.0)),
    "C9": PartPlace(49.2, 20.2, label=(3.3, 0)),
    "C10": PartPlace(58.8, 15, label=(0, 1.8)),
    "U7": PartPlace(51, 28, 180, label=(2.6, -5.5)),
    "C7": PartPlace(50.3, 34.2, label=(3.3, 0)),
    "R3": PartPlace(15.5, 80, 180, label=(0, 1.8)),
    "R4": PartPlace(57.5, 30.5, label=(0, 1.8)),
    "U8": PartPlace(72, 30, label=(-2.4, -6.1)),
    "C8": PartPlace(75.5, 23.2, label=(3.4, 0)),
    **{ref: PartPlace(6.2, y, 270, label=(-0.5, -3.9)) for ref, y in _FEEDS.items()},
    "J13": PartPlace(96.5, 24, label=(0, -2.6)),
    "J14": PartPlace(40.3, 32.5),
    "R11": PartPlace(53.3, 38, 180, label=(3.2, 0)),
    "Q1": PartPlace(48.5, 37, 180, label=(-2.9, 1.6)),
    "D2": PartPlace(44.2, 34.3, 270, label=(0, 3.2)),
    **dict(_muxes()),
    **dict(_signals()),
}

_SUPPLY = (
    *((38.7, 0.8), (47.2, 0.8), (47.2, 5.6), (42.3, 5.6), (42.3, 8.4), (46.5, 8.4)),
    *((46.5, 16.2), (49.3, 16.2), (49.3, 21.4), (46.5, 21.4), (46.5, 31.2), (50.2, 31.2), (50.2, 35)),
    *((46.5, 35), (46.5, 34), (21.5, 34), (21.5, 75.9), (4.6, 75.9), (4.6, 72.1), (14.6, 72.1)),
    *((14.6, 58.4), (4.6, 58.4), (4.6, 54.6), (14.6, 54.6), (14.6, 40.9), (4.6, 40.9), (4.6, 37.1)),
    *((14.6, 37.1), (14.6, 23.6), (27.8, 23.6), (27.8, 20.6), (32.3, 20.6), (32.3, 23.6), (38.7, 23.6)),
)
_VBUS = (
    *((5.4, 25.0), (8.2, 25.0), (8.2, 24), (12.6, 24), (12.6, 30), (8.2, 30), (8.2, 29.0), (5.4, 29.0)),
    *((5.4, 28.05), (8.4, 28.05), (8.4, 25.95), (5.4, 25.95)),
)


def _texts() -> Iterator[Text]:
    yield Text("Millwright controller", 79, 37.2, 1.6)
    yield Text("5 V ONLY. ONE SUPPLY AT A TIME.", 23, 1.8, 1.1)
    yield Text("+", 13.0, 7.6, 1.4)
    yield Text("-", 13.2, 16.6, 1.4)
    yield Text("5V IN", 17.0, 7.2)
    yield Text("5 A slow", 25, 7.2)
    yield Text("USB-C 5V 3A", 21.0, 22.2)
    yield Text("1", 41.4, 6.8, 1.2)
    for ref, name in (("J10", "FIRST POINT"), ("J11", "LAST POINT"), ("J12", "SIDE BARS")):
        y = _FEEDS[ref]
        yield Text(name, 19.6, y + 5.1, 1.0, 90)
        for number, pole in enumerate(("5V", "D", "GND")):
            yield Text(pole, 13.4, y + 5.08 * number, 1.0)
    for number, (x, name) in enumerate(
        zip(_PLUGS * 2, ("mux 0", "mux 1", "mux 2", "mux 3", "mux 4", "mux 5"), strict=True)
    ):
        y = 84.8 if number < 3 else 57.3
        yield Text(name, x + 12.5 if number != 3 else x + 15, y, 1.0)
    yield Text("BUTTON", 91.5, 25.2, 1.0)
    yield Text("J14 + BUZZER", 40.6, 29.4, 0.9)


CONTROLLER = BoardLayout(
    name="controller",
    title="Millwright controller",
    places=_PLACES,
    pours=(
        Pour("5 V", _SUPPLY),
        Pour("VBUS", _VBUS, ("F.Cu",)),
        Pour("INLET", ((4.6, 9.5), (21.3, 9.5), (21.3, 13.5), (4.6, 13.5))),
        Pour("FUSED", ((28.6, 9.5), (36.4, 9.5), (36.4, 17.4), (28.6, 17.4))),
    ),
    texts=tuple(_texts()),
    holes=(*PI_HOLES, (3.5, 3.5), (3.5, 96.5), (96.5, 96.5)),
    corners=((0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)),
    ground_tracks=tuple((f"U{1 + n}", "8", f"J{2 + n}", "9") for n in range(6)),
    wide={"3.3 V": 0.6},
)
