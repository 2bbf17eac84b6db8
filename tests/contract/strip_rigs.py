"""LED strips whose drivers must all keep the same promises; a later driver joins by an entry in RIGS."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from adafruit_pixelbuf import PixelBuf

from firmware_host.ports import DARK, LedFrame, LedPort
from hardware.strip import NeoPixelStrip
from sim.electronics.spi import SimulatedSpi
from tests.contract.serial_rigs import SerialStripRig
from tests.firmware.simulated_nano import FirmwareBuild

POINTS = 24


class StripRig(Protocol):
    """A strip under test."""

    port: LedPort

    @property
    def shining(self) -> LedFrame:
        """The colour at each point."""

    @property
    def sent(self) -> int:
        """The number of frames sent to the strip."""

    def plug(self, there: bool) -> None:
        """Plug the strip in or out."""


class SpiRig:
    """The real NeoPixel driver on the simulated bus."""

    def __init__(self, order: Sequence[int | tuple[int, ...]], leds: int) -> None:
        self._places = [(own,) if isinstance(own, int) else own for own in order]
        self._spi = SimulatedSpi(leds)
        self.port = NeoPixelStrip.on_spi(self._spi, order, leds=leds)

    @property
    def shining(self) -> LedFrame:
        shining = [{self._spi.leds[led] for led in own} for own in self._places]
        assert all(len(colours) == 1 for colours in shining)
        return tuple(colours.pop() for colours in shining)

    @property
    def sent(self) -> int:
        return self._spi.writes

    def plug(self, there: bool) -> None:
        self._spi.plugged = there


class RgbPixels(PixelBuf):
    """A strip of another maker, with its colours in another order, half bright and quick to write."""

    def __init__(self, leds: int) -> None:
        self.sent: list[bytes] = []
        self.there = True
        super().__init__(leds, byteorder="RGB", brightness=0.5, auto_write=True)

    def _transmit(self, buffer: bytearray) -> None:
        if not self.there:
            raise RuntimeError("no strip")
        self.sent.append(bytes(buffer))


class PixelRig:
    """Any other strip."""

    def __init__(self) -> None:
        self._pixels = RgbPixels(POINTS)
        self.port = NeoPixelStrip(self._pixels, range(POINTS))

    @property
    def shining(self) -> LedFrame:
        if not self._pixels.there or not self._pixels.sent:
            return (DARK,) * POINTS
        last = self._pixels.sent[-1]
        return tuple(zip(last[0::3], last[1::3], last[2::3], strict=True))

    @property
    def sent(self) -> int:
        return len(self._pixels.sent)

    def plug(self, there: bool) -> None:
        self._pixels.there = there
        if not there:
            self._pixels.sent.append(bytes(3 * POINTS))


RIGS: Mapping[str, Callable[[], StripRig]] = {
    "NeoPixels on SPI": lambda: SpiRig(tuple(range(POINTS)), POINTS),
    "NeoPixels on SPI, backwards on a longer strip": lambda: SpiRig(tuple(range(POINTS, 0, -1)), POINTS + 6),
    "NeoPixels on SPI, two for each point": lambda: SpiRig(
        [(n, 2 * POINTS - 1 - n) for n in range(POINTS)], 2 * POINTS
    ),
    "pixels of another maker": PixelRig,
    "serial with the AVR firmware in simavr": lambda: SerialStripRig(range(POINTS), FirmwareBuild()),
    "serial with the AVR firmware in simavr, two for each point": lambda: SerialStripRig(
        [(n, 2 * POINTS - 1 - n) for n in range(POINTS)], FirmwareBuild(leds=2 * POINTS)
    ),
}

if os.environ.get("MILLWRIGHT_VIRTUAL_PI") == "1":
    from tests.contract import virtual_pi_rigs

    RIGS = {**RIGS, **virtual_pi_rigs.STRIP_RIGS}
