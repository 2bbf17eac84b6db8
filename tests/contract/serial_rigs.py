"""Boards and strips on a serial line, with the firmware as it is in a simulated Nano."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from firmware_host.games.layout import Layout, Point
from firmware_host.ports import Colour, LedFrame, SensorKind
from hardware.sensors.decode import switch_sensors
from hardware.wiring.contacts import READINGS
from tests.firmware.simulated_nano import FirmwareBuild, NanoBoard


class SerialSensorRig:
    """The serial driver, its firmware, and contacts on channel after channel, chip after chip."""

    def __init__(self, layout: Layout, alphabet: SensorKind, build: FirmwareBuild) -> None:
        self.layout, self.alphabet = layout, alphabet
        contacts = [(point.index, reading) for reading in READINGS[alphabet] for point in layout.points]
        self._wires = {contact: divmod(n, build.channels) for n, contact in enumerate(contacts)}
        self._board = NanoBoard(build, self._wires.values())
        self._board.ready()
        self._open()

    def stand(self, point: Point, kind: str) -> None:
        self._set(point, kind, closed=True)

    def lift(self, point: Point) -> None:
        for kind in ("white", "black"):
            self._set(point, kind, closed=False)

    @contextmanager
    def unreadable(self) -> Iterator[None]:
        self._board.nano.do("unplug")
        try:
            yield
        finally:
            self._board.replug()

    def reopen(self) -> None:
        self._board.scanner = self._board.board.scanner(self._board.wires)
        self._board.passes(1)
        self._board.ready()
        self._open()

    def _open(self) -> None:
        self.port = switch_sensors(self._board.scanner, self._wires, len(self.layout))

    def _set(self, point: Point, kind: str, *, closed: bool) -> None:
        reading = READINGS[self.alphabet][-1 if kind == "black" else 0]
        self._board.nano.contact(self._wires[point.index, reading], closed)
        self._board.passes(2)


class SerialStripRig:
    """The serial driver, its firmware, and a strip that takes pulses."""

    def __init__(self, order: Sequence[int | tuple[int, ...]], build: FirmwareBuild) -> None:
        self._places = [(own,) if isinstance(own, int) else own for own in order]
        self._board = NanoBoard(build).ready()
        self._board.passes(1)
        self._before = self._board.nano.frames
        self.port = self._board.board.strip(self._places)

    @property
    def shining(self) -> LedFrame:
        leds = self._settled()
        shining = [{leds[led] for led in own} for own in self._places]
        assert all(len(colours) == 1 for colours in shining)
        return tuple(colours.pop() for colours in shining)

    @property
    def sent(self) -> int:
        self._settled()
        return self._board.nano.frames - self._before

    def plug(self, there: bool) -> None:
        if there:
            self._board.replug()
        else:
            self._board.nano.do("unplug")

    def _settled(self) -> list[Colour]:
        self._board.passes(10)
        return [(red, green, blue) for green, red, blue in self._board.nano.leds]
