"""The wooden board of the virtual Pi: hands set its contacts in the kernel; light is what was sent on SPI."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from firmware_host.games.layout import MORRIS, Point
from firmware_host.ports import DARK, Colour
from sim.electronics.spi import SimulatedSpi

CLOSED = Path("/sys/module/muxboard/parameters/closed")
MUTE = Path("/sys/module/muxboard/parameters/mute")
"""While it is 1, the chip of the sensors does not answer."""
UNPLUGGED = Path("/sys/module/striptap/parameters/unplugged")
"""While it is 1, nothing can be sent to the strip."""

APART_S = 0.2
"""The time from one piece to the next, within which even an emulated board reads many frames."""

HZ = Path("/sys/module/striptap/parameters/hz")
"""The speed of the last transfer to the strip; 0 if there was none."""


SOLDERED = Path("soldered.json")
"""The points in the order of contacts and LEDs, and the order of colours; without it, as recommended."""
BRIGHT = 50
"""The brightness above which an LED does more than glow."""


class WoodOfService:
    """The wood and what lies on it: points are wired in an order, chip after chip, LED after LED."""

    def __init__(self, *standing: str) -> None:
        self._standing = {MORRIS[point] for point in standing}
        soldered = json.loads(SOLDERED.read_text()) if SOLDERED.exists() else {}
        self._order = soldered.get("order", "GRB")
        self._names: list[str] = soldered.get("points", [point.name for point in MORRIS.points])

    @property
    def standing(self) -> set[str]:
        """The points at which pieces stand."""
        return {point.name for point in self._standing}

    def put(self, point: Point) -> None:
        """Set a piece down."""
        self._standing.add(point)
        self._show()

    def lift(self, point: Point) -> None:
        """Take a piece off."""
        self._standing.remove(point)
        self._show()

    def clear(self) -> None:
        """Take all pieces off, one after the other, also those that an earlier trial has left there.

        Several at once would be sensors that drop out, and no hands.
        """
        closed = int(CLOSED.read_text())
        for contact in range(len(MORRIS)):
            if closed >> contact & 1:
                closed &= ~(1 << contact)
                CLOSED.write_text(str(closed))
                time.sleep(APART_S)
        self._standing.clear()

    def lit(self) -> set[str]:
        """The points whose LEDs shine, by what was last sent to them; none where nothing ever was."""
        return {name for name, colour in self._light().items() if colour != DARK}

    def bright(self) -> dict[str, Colour]:
        """The points whose LEDs shine brightly, with their colours."""
        return {name: colour for name, colour in self._light().items() if max(colour) > BRIGHT}

    def _light(self) -> dict[str, Colour]:
        hz = int(HZ.read_text())
        if not hz:
            return {}
        strip = SimulatedSpi(len(MORRIS), self._order)
        strip.configure(hz)
        strip.write(Path("/dev/striptap").read_bytes())
        return dict(zip(self._names, strip.leds, strict=True))

    def stays_without_power(self) -> None:
        """Have the pieces stand there when the machine is booted again, as they do on wood."""
        options = Path("/etc/modprobe.d/board.conf")
        options.write_text(f"options muxboard closed={self._mask()}\n")
        os.sync()

    def _mask(self) -> int:
        return sum(1 << self._names.index(point.name) for point in self._standing)

    def _show(self) -> None:
        CLOSED.write_text(str(self._mask()))
