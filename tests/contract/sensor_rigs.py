"""Boards whose sensor drivers must all keep the same promises; a later driver joins by an entry in RIGS.

A rig stands for hands and wood on one side and the opened driver on the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Protocol

from firmware.simulated_nano import Build
from serial_rigs import SerialSensorRig

from firmware_host.games.layout import MORRIS, Layout, Point
from firmware_host.ports import Alphabet, SensorPort
from firmware_host.settings import Sensors
from hardware.wiring import MuxWiring
from sim.clock import VirtualClock
from sim.electronics import SimulatedBoard
from sim.table import Piece


class SensorRig(Protocol):
    """A board under test."""

    layout: Layout
    alphabet: Alphabet
    port: SensorPort

    def stand(self, point: Point, kind: str) -> None:
        """A piece is set down, and has come to rest."""

    def lift(self, point: Point) -> None:
        """The piece is taken away, and the sensor has come to rest."""

    def unreadable(self) -> Any:
        """A context in which the hardware cannot be read."""

    def reopen(self) -> None:
        """Open a driver anew, after the last one was closed."""


class SimulatedRig:
    """The mux driver on simulated chips."""

    def __init__(self, wiring: MuxWiring, **electronics: Any) -> None:
        self.layout, self.alphabet = wiring.layout, wiring.alphabet
        self.clock = VirtualClock()
        self.board = SimulatedBoard(self.layout, self.alphabet, self.clock, wiring=wiring, **electronics)
        self.reopen()

    def reopen(self) -> None:
        self.port = self.board.open_sensors()

    def stand(self, point: Point, kind: str) -> None:
        self.board.table.put(Piece(kind), self.board.table.spots[point.index], self.clock.now())
        self.clock.sleep(0.01)

    def lift(self, point: Point) -> None:
        piece = self.board.table.standing(point, self.clock.now())
        assert piece is not None
        self.board.table.take(piece, self.clock.now())
        self.clock.sleep(0.01)

    @contextmanager
    def unreadable(self) -> Iterator[None]:
        pin = self.board.pi.pin(self.board.wiring.signals[-1])
        works = pin._get_state
        pin._get_state = _no_answer
        try:
            yield
        finally:
            pin._get_state = works


def _no_answer() -> bool:
    raise OSError("the GPIO chip does not answer")


def _file_of(count: int) -> Layout:
    points = tuple(Point(f"p{n}", n, n % 8, n // 8) for n in range(count))
    return Layout(f"{count} points", points, ())


def _scattered() -> MuxWiring:
    """Points in no order, on channels with gaps, on select lines whose pull-up is fixed."""
    contacts = {(n, 1): ((7 * n) % 3, (5 * n) % 16) for n in range(24)}
    return MuxWiring(MORRIS, Alphabet.PRESENCE, (2, 3, 17, 27), (4, 5, 6), contacts)


def _wired(
    layout: Layout, alphabet: Alphabet, select: tuple[int, ...], signals: tuple[int, ...]
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


_PRESENCE, _POLARITY = Alphabet.PRESENCE, Alphabet.POLARITY

RIGS: Mapping[str, Callable[[], SensorRig]] = {
    "presence behind three 4051": lambda: SimulatedRig(MuxWiring.recommended(MORRIS, _PRESENCE)),
    "polarity behind six 4051": lambda: SimulatedRig(MuxWiring.recommended(MORRIS, _POLARITY)),
    "25 points behind two 4067": lambda: SimulatedRig(
        _wired(_file_of(25), _PRESENCE, (17, 27, 22, 4), (23, 24))
    ),
    "resistors outside": lambda: SimulatedRig(
        replace(MuxWiring.recommended(MORRIS, _PRESENCE), pull_up=False, settling_us=2), rise_us=2
    ),
    "scattered wires": lambda: SimulatedRig(_scattered()),
    "three 4051 and more on one signal line": lambda: SimulatedRig(_sharing_a_line()),
    "polarity behind two enabled 4067 and one more": lambda: SimulatedRig(
        replace(
            _wired(MORRIS, _POLARITY, (17, 27, 22, 4), (23,)),
            enables=(5, 6, 16),
        )
    ),
    "no mux at all": lambda: SimulatedRig(_without_chips()),
    "serial with the AVR firmware in simavr": lambda: SerialSensorRig(MORRIS, _PRESENCE, Build()),
    "serial with the AVR firmware in simavr, polarity": lambda: SerialSensorRig(
        MORRIS, _POLARITY, Build(chips=6)
    ),
    "serial with the AVR firmware in simavr, 25 points behind two 4067": lambda: SerialSensorRig(
        _file_of(25), _PRESENCE, Build(chips=2, select_lines=4)
    ),
}
