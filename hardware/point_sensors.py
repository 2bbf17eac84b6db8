"""What the levels of a board's wires say of its points.

Rules kept here: nothing is worked out anew while no level changes; where several contacts of one point are
closed at once, the one that was believed before still is, else the one with the lowest reading.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import TracebackType

from firmware_host.errors import SensorError
from firmware_host.ports import NOTHING, Frame
from hardware.scanner import Levels, Scanner, Wire
from hardware.wiring import Contact

Meaning = Callable[[Levels, Frame], Frame]
"""Makes the frame from all levels and the frame before."""


class PointSensors:
    """A SensorPort on any scanner."""

    def __init__(self, scanner: Scanner, meaning: Meaning, points: int) -> None:
        self._scanner = scanner
        self._meaning = meaning
        self._levels: Levels | None = None
        self._frame: Frame = (NOTHING,) * points

    def read(self) -> Frame:
        """Scan every point once; the very same tuple as before where nothing changed."""
        levels = self._scanner.scan()
        if levels is not self._levels:
            frame = self._meaning(levels, self._frame)
            if frame != self._frame:
                self._frame = frame
            self._levels = levels
        return self._frame

    def close(self) -> None:
        """Close the scanner; may be called twice."""
        self._scanner.close()

    def __enter__(self) -> PointSensors:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def of_switches(scanner: Scanner, contacts: Mapping[Contact, Wire], points: int) -> PointSensors:
    """Points whose contacts are closed or open; raises SensorError where the scanner lacks a wire."""
    number = {wire: n for n, wire in enumerate(scanner.wires)}
    if lacking := sorted({wire for wire in contacts.values() if wire not in number}):
        scanner.close()
        raise SensorError(
            f"there is no channel {lacking[0][1]} of chip {lacking[0][0]} to read a sensor from"
        )
    taps = [(point, reading, number[wire]) for (point, reading), wire in sorted(contacts.items())]

    def meaning(levels: Levels, before: Frame) -> Frame:
        frame = [NOTHING] * points
        for point, reading, wire in taps:
            if levels[wire] and (frame[point] == NOTHING or before[point] == reading):
                frame[point] = reading
        return tuple(frame)

    return PointSensors(scanner, meaning, points)
