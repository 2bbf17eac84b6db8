"""Boards whose sensor drivers must all keep the same promises; a later driver joins by an entry in RIGS.

A rig stands for hands and wood on one side and the opened driver on the other.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Protocol

from firmware_host.config.wiring_map import EXPANDER_INPUTS
from firmware_host.games.layout import MORRIS, Layout, Point
from firmware_host.ports import SOMETHING, SensorKind, SensorPort
from firmware_host.settings import Sensors
from hardware.wiring.contacts import MuxWiring
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from sim.table.table import TablePiece
from tests.contract.serial_rigs import SerialSensorRig
from tests.firmware.simulated_nano import FirmwareBuild
from tests.support.hardware.silent_pins import silenced


class SensorRig(Protocol):
    """A board under test."""

    layout: Layout
    alphabet: SensorKind
    port: SensorPort

    def stand(self, point: Point, kind: str) -> None:
        """A piece is set down, and has come to rest."""

    def lift(self, point: Point) -> None:
        """The piece is taken away, and the sensor has come to rest."""

    def unreadable(self) -> Any:
        """A context in which the hardware cannot be read."""

    def reopen(self) -> None:
        """Open a driver again, after the last one was closed."""


class SimulatedRig:
    """The driver of some settings on simulated electronics that are soldered so."""

    def __init__(self, layout: Layout, alphabet: SensorKind, **electronics: Any) -> None:
        self.layout, self.alphabet = layout, alphabet
        self.clock = VirtualClock()
        self.board = SimulatedBoard(layout, alphabet, self.clock, **electronics)
        self.reopen()

    @classmethod
    def wired(cls, layout: Layout = MORRIS, **settings: Any) -> SimulatedRig:
        """By settings of sensors."""
        sensors = Sensors(**settings)
        return cls(layout, SensorKind(sensors.alphabet), sensors=sensors)

    def reopen(self) -> None:
        self.port = self.board.open_sensors()

    def stand(self, point: Point, kind: str) -> None:
        self.board.table.put(TablePiece(kind), self.board.table.spots[point.index], self.clock.now())
        self.clock.sleep(0.01)

    def lift(self, point: Point) -> None:
        piece = self.board.table.standing(point, self.clock.now())
        assert piece is not None
        self.board.table.take(piece, self.clock.now())
        self.clock.sleep(0.01)


class MuxRig(SimulatedRig):
    """The driver of multiplexers, or of lines without."""

    def __init__(self, wiring: MuxWiring, **electronics: Any) -> None:
        super().__init__(wiring.layout, wiring.alphabet, sensors=wiring.settings(), **electronics)

    @contextmanager
    def unreadable(self) -> Iterator[None]:
        """The chip of the header does not answer."""
        board = self.board
        with silenced(board.pi, board.harness.muxes, board.wiring.signals):
            yield


class MatrixRig(SimulatedRig):
    """The driver of a diode matrix."""

    @contextmanager
    def unreadable(self) -> Iterator[None]:
        """The chip of the header does not answer."""
        matrix, level = self.board.harness.matrix, self.board.harness.matrix.level

        def fail(line: int, pull: str) -> bool:
            raise OSError("the GPIO chip does not answer")

        matrix.level = fail
        matrix.repair()  # counts as a change, so that no line answers from memory
        try:
            yield
        finally:
            matrix.level = level


class ExpanderRig(SimulatedRig):
    """The driver of expanders."""

    @contextmanager
    def unreadable(self) -> Iterator[None]:
        """The last chip has lost its supply."""
        chip = self.board.harness.chips - 1
        self.board.inject({"mux": chip, "kind": "dead"})
        try:
            yield
        finally:
            self.board.repair()


class AdcRig(SimulatedRig):
    """The driver of linear sensors."""

    @contextmanager
    def unreadable(self) -> Iterator[None]:
        """The ADC has come off its data line."""
        self.board.harness.converter.plugged = False
        try:
            yield
        finally:
            self.board.harness.converter.plugged = True


class SerialRig(SimulatedRig):
    """The driver of a board with a microcontroller."""

    @contextmanager
    def unreadable(self) -> Iterator[None]:
        """Its cable is out, and in again for half a second."""
        self.board.harness.microcontroller.plugged = False
        try:
            yield
        finally:
            self.board.harness.microcontroller.plugged = True
            self.clock.sleep(0.5)


def _file_of(count: int) -> Layout:
    points = tuple(Point(f"p{n}", n, n % 8, n // 8) for n in range(count))
    return Layout(f"{count} points", points, ())


def _scattered() -> MuxWiring:
    """Points in no order, on channels with gaps, on select lines whose pull-up is fixed."""
    contacts = {(n, SOMETHING): ((7 * n) % 3, (5 * n) % 16) for n in range(24)}
    return MuxWiring(MORRIS, SensorKind.PRESENCE, (2, 3, 17, 27), (4, 5, 6), contacts)


def _wired(
    layout: Layout, alphabet: SensorKind, select: tuple[int, ...], signals: tuple[int, ...]
) -> MuxWiring:
    return MuxWiring.in_order(layout, alphabet, select=select, signals=signals)


def _sharing_a_line() -> MuxWiring:
    """Chips on one signal line that are enabled one after the other, one of them with a free channel."""
    names = [p.name for p in MORRIS.points]
    points = {name: (divmod(n if n < 8 else n + 1, 8),) for n, name in enumerate(names)}
    return MuxWiring.of(MORRIS, Sensors(signal=(23,), enable=(5, 6, 16, 26), points=points))


def _without_chips() -> MuxWiring:
    lines = [*range(4, 24), 24, 25, 26, 27]
    points = {point.name: ((line,),) for point, line in zip(MORRIS.points, lines, strict=True)}
    return MuxWiring.of(MORRIS, Sensors(kind="direct", points=points))


_PRESENCE, _POLARITY = SensorKind.PRESENCE, SensorKind.POLARITY

RIGS: Mapping[str, Callable[[], SensorRig]] = {
    "presence behind three 4051": lambda: MuxRig(MuxWiring.recommended(MORRIS, _PRESENCE)),
    "polarity behind six 4051": lambda: MuxRig(MuxWiring.recommended(MORRIS, _POLARITY)),
    "25 points behind two 4067": lambda: MuxRig(_wired(_file_of(25), _PRESENCE, (17, 27, 22, 4), (23, 24))),
    "resistors outside": lambda: MuxRig(
        replace(MuxWiring.recommended(MORRIS, _PRESENCE), pull_up=False, settling_us=2), rise_us=2
    ),
    "scattered wires": lambda: MuxRig(_scattered()),
    "three 4051 and more on one signal line": lambda: MuxRig(_sharing_a_line()),
    "polarity behind two enabled 4067 and one more": lambda: MuxRig(
        replace(
            _wired(MORRIS, _POLARITY, (17, 27, 22, 4), (23,)),
            enables=(5, 6, 16),
        )
    ),
    "no mux at all": lambda: MuxRig(_without_chips()),
    "a diode matrix of four rows and six columns": lambda: MatrixRig.wired(kind="matrix"),
    "a diode matrix with resistors outside, on scattered crossings of five rows and seven columns": (
        lambda: MatrixRig.wired(
            kind="matrix",
            rows=(4, 26, 12, 13, 19),
            columns=(21, 20, 16, 6, 5, 25, 24),
            pull_up=False,
            settling_us=4,
            points={p.name: (((3 * p.index) % 5, (4 * p.index) % 7),) for p in MORRIS.points},
        )
    ),
    "25 points on a diode matrix of one row": lambda: MatrixRig.wired(
        _file_of(25), kind="matrix", rows=(2,), columns=tuple(range(3, 28))
    ),
    "two expanders": lambda: ExpanderRig.wired(kind="mcp23017"),
    "polarity on four expanders": lambda: ExpanderRig.wired(
        kind="mcp23017", alphabet="polarity", expanders=(0x27, 0x20, 0x24, 0x21)
    ),
    "25 points on scattered pins of three expanders": lambda: ExpanderRig.wired(
        _file_of(25),
        kind="mcp23017",
        expanders=(0x20, 0x21, 0x22),
        points={f"p{n}": ((n % 3, EXPANDER_INPUTS[(5 * n) % 14]),) for n in range(25)},
    ),
    "linear sensors behind three 4051": lambda: AdcRig.wired(kind="mcp3008"),
    "linear sensors behind three 4051, by polarity": lambda: AdcRig.wired(
        kind="mcp3008", alphabet="polarity"
    ),
    "linear sensors behind two 4067 on scattered inputs, measured upside down": lambda: AdcRig.wired(
        kind="mcp3008",
        alphabet="polarity",
        select=(17, 27, 22, 4),
        inputs=(6, 1),
        points={point.name: ((point.index % 2, 5 * (point.index // 2) % 16),) for point in MORRIS.points},
        levels={point.name: (480 + point.index, 400 - point.index, 600) for point in MORRIS.points},
    ),
    "a simulated microcontroller": lambda: SerialRig.wired(kind="serial"),
    "a simulated microcontroller with two 4067 and a free channel, by polarity": lambda: SerialRig.wired(
        kind="serial",
        alphabet="polarity",
        points={p.name: tuple(divmod(49 - 2 * p.index - n, 16) for n in range(2)) for p in MORRIS.points},
    ),
    "eight linear sensors without a mux": lambda: AdcRig.wired(
        _file_of(8), kind="mcp3008", select=(), inputs=(7, 6, 5, 4, 3, 2, 1, 0)
    ),
    "serial with the AVR firmware in simavr": lambda: SerialSensorRig(MORRIS, _PRESENCE, FirmwareBuild()),
    "serial with the AVR firmware in simavr, polarity": lambda: SerialSensorRig(
        MORRIS, _POLARITY, FirmwareBuild(chips=6)
    ),
    "serial with the AVR firmware in simavr, 25 points behind two 4067": lambda: SerialSensorRig(
        _file_of(25), _PRESENCE, FirmwareBuild(chips=2, select_lines=4)
    ),
}

if os.environ.get("MILLWRIGHT_VIRTUAL_PI") == "1":
    from tests.contract import virtual_pi_rigs

    RIGS = {**RIGS, **virtual_pi_rigs.SENSOR_RIGS}
